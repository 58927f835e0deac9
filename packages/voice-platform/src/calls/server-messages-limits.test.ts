import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { CallRow } from './call-row.js'
import { ServerMessages } from './server-messages.js'
import { withoutSecrets } from './without-secrets.js'

const NOW = new Date('2026-01-02T03:04:05Z')
const ROW: CallRow = {
  id: 'a',
  org_id: 'org',
  type: 'webCall',
  status: 'in-progress',
  ended_reason: null,
  name: null,
  assistant_id: null,
  assistant_given: null,
  overrides: null,
  ...{ squad_id: null, workflow_id: null, script: null, activations: null, variables: null },
  phone_number_id: null,
  customer: null,
  assistant: {},
  carrier: null,
  carrier_call_id: null,
  messages: [],
  transcript: null,
  performance: null,
  analysis: null,
  costs: null,
  forwarded_to: null,
  started_at: NOW,
  ended_at: null,
  created_at: NOW,
  updated_at: NOW,
}
const URL = 'https://hooks.example/'
/** As the database gives it: stored before, and not checked since. */
const stored = (assistant: object): CallRow['assistant'] => JSON.parse(JSON.stringify(assistant))

/** Messages to a server that answers when it is told to. */
function setUp(url = URL) {
  const log: string[] = []
  const bodies: string[] = []
  const answers: (() => void)[] = []
  const guarded: string[] = []
  const messages = new ServerMessages({
    server: { url },
    clock: new ManualClock(),
    logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
    fetch: async (to, init) => {
      new Request(String(to))
      bodies.push(String(init?.body))
      await new Promise<void>((resolve) => answers.push(resolve))
      return new Response()
    },
    guardedFetch: async (to) => {
      guarded.push(String(to))
      return new Response()
    },
  })
  const settled = async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const answer = async () => {
    for (await settled(); answers.length > 0; await settled()) for (const done of answers.splice(0)) done()
  }
  return { messages, log, bodies, guarded, answer, settled }
}

describe('server messages that wait', () => {
  it('are dropped beyond 1,000, with one warning, until none waits', async () => {
    const { messages, log, bodies, answer } = setUp()
    const send = (count: number) => {
      for (let call = 0; call < count; call += 1) messages.status({ ...ROW, id: String(call) })
    }
    send(1_005)
    expect(log.map((line) => JSON.parse(line).msg)).toEqual(['server messages dropped: too many wait'])
    await answer()
    expect(bodies).toHaveLength(1_000)
    send(1_002)
    expect(log).toHaveLength(2)
    await answer()
    expect(bodies).toHaveLength(2_000)
  })

  it('hold 16 MB at most, and the same again once they are gone', async () => {
    const { messages, log, bodies, answer } = setUp()
    const large = stored({ metadata: 'x'.repeat(900_000) })
    const send = async () => {
      for (let call = 0; call < 30; call += 1) messages.status({ ...ROW, id: String(call), assistant: large })
      await answer()
      return bodies.splice(0).map((body) => Buffer.byteLength(body))
    }
    for (let time = 0; time < 2; time += 1) {
      const sizes = await send()
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(16_000_000)
      // Those for which there is no room as they are go without the assistant's settings.
      expect(sizes).toHaveLength(30)
      expect(sizes.filter((size) => size > 900_000)).toHaveLength(17)
    }
    expect(log).toEqual([])
  })

  it('of browser calls never push out those of phone calls', async () => {
    const { messages, bodies, answer } = setUp()
    for (let call = 0; call < 1_200; call += 1) messages.status({ ...ROW, id: String(call) })
    messages.status({ ...ROW, id: 'phone', type: 'outboundPhoneCall' })
    await answer()
    expect(bodies).toHaveLength(1_001)
    expect(bodies.some((body) => JSON.parse(body).message.call.id === 'phone')).toBe(true)
  })
})

describe('servers of assistants that do not answer', () => {
  const of = (server: string, id: string): CallRow => ({
    ...ROW,
    id,
    assistant: stored({ server: { url: server } }),
  })
  const idsOf = (bodies: readonly string[], prefix: string): string[] =>
    bodies.map((body) => JSON.parse(body).message.call.id).filter((id) => id.startsWith(prefix))

  it('have half of what the others leave, each, so that others lose no message', async () => {
    const { messages, log, bodies, answer } = setUp()
    for (let call = 0; call < 1_200; call += 1) messages.status(of('https://one.example/', `one-${call}`))
    for (let call = 0; call < 1_200; call += 1) messages.status(of('https://two.example/', `two-${call}`))
    for (let call = 0; call < 100; call += 1) messages.status(of('https://third.example/', `third-${call}`))
    for (let call = 0; call < 100; call += 1) messages.status({ ...ROW, id: `ours-${call}` })
    await answer()
    expect(['one', 'two', 'third', 'ours'].map((name) => idsOf(bodies, name).length)).toEqual([
      500, 250, 100, 100,
    ])
    expect(log).toHaveLength(1)
  })

  it('have their whole half again once they answered', async () => {
    const { messages, bodies, answer } = setUp()
    for (let time = 0; time < 2; time += 1) {
      for (let call = 0; call < 600; call += 1) messages.status(of('https://one.example/', `one-${call}`))
      await answer()
      expect(bodies.splice(0)).toHaveLength(500)
    }
  })

  it('have half of the bytes', async () => {
    const { messages, bodies, answer } = setUp()
    const large = { server: { url: 'https://one.example/' }, metadata: 'x'.repeat(900_000) }
    for (let call = 0; call < 30; call += 1)
      messages.status({ ...ROW, id: String(call), assistant: stored(large) })
    await answer()
    expect(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0)).toBeLessThanOrEqual(8_000_000)
    expect(bodies).toHaveLength(30)
  })
})

describe('what is said in calls', () => {
  const talks = (id: string, assistant = {}): CallRow => ({
    ...ROW,
    id,
    assistant: stored({
      serverMessages: ['transcript', 'status-update', 'end-of-call-report'],
      ...assistant,
    }),
  })
  /** Tells so many lines of a call. */
  const say = (messages: ServerMessages, call: CallRow, lines: number) => {
    for (let line = 0; line < lines; line += 1) messages.transcript(call, 'user', `Line ${line}.`)
  }
  const typesOf = (bodies: readonly string[], id: string): string[] =>
    bodies.map((body) => JSON.parse(body).message).flatMap(({ call, type }) => (call.id === id ? [type] : []))

  it('of one call takes fifty places at most, so that no other call loses anything', async () => {
    const { messages, log, bodies, answer } = setUp()
    say(messages, talks('flood'), 2_000)
    say(messages, talks('other'), 3)
    messages.status({ ...talks('other'), status: 'ended' })
    messages.status({ ...talks('flood'), status: 'ended' })
    await answer()
    expect(typesOf(bodies, 'flood')).toEqual([
      ...Array<string>(50).fill('transcript'),
      'status-update',
      'end-of-call-report',
    ])
    expect(typesOf(bodies, 'other')).toEqual([
      ...Array<string>(3).fill('transcript'),
      'status-update',
      'end-of-call-report',
    ])
    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ callId: 'flood', type: 'transcript' }])
    bodies.length = 0
    say(messages, talks('flood'), 50)
    await answer()
    expect(typesOf(bodies, 'flood')).toHaveLength(50)
  })

  it('of all calls leaves half of the queue to their reports', async () => {
    const { messages, log, bodies, answer } = setUp()
    for (let call = 0; call < 40; call += 1) say(messages, talks(String(call)), 50)
    for (let call = 40; call < 290; call += 1) messages.status({ ...talks(String(call)), status: 'ended' })
    await answer()
    const types = bodies.map((body) => JSON.parse(body).message.type)
    expect(types.filter((type) => type === 'transcript')).toHaveLength(500)
    expect(types.filter((type) => type === 'end-of-call-report')).toHaveLength(250)
    expect(log).toHaveLength(1)
  })

  it('goes without a large prompt once messages of 1 MB wait, and is told all the same', async () => {
    const { messages, log, bodies, answer } = setUp()
    const call = talks('long', { metadata: '\u4e16'.repeat(20_000) })
    say(messages, { ...call, overrides: call.assistant }, 40)
    await answer()
    const told = bodies.map((body) => JSON.parse(body).message)
    expect(told.map(({ transcript }) => transcript)).toEqual(
      Array.from({ length: 40 }, (_, line) => `Line ${line}.`),
    )
    expect(told.filter(({ assistant }) => assistant)).toHaveLength(8)
    expect(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0)).toBeLessThanOrEqual(1_000_000)
    expect(log).toEqual([])
  })

  it('is dropped with a warning of its own, which hides none of a report', async () => {
    const { messages, log } = setUp()
    say(messages, talks('flood'), 60)
    for (let call = 0; call < 1_100; call += 1) messages.status({ ...ROW, id: String(call) })
    expect(log.map((line) => JSON.parse(line).type)).toEqual(['transcript', 'status-update'])
  })
})

describe('a message over 1 MB', () => {
  const report = async (row: Partial<CallRow>) => {
    const { messages, bodies, answer } = setUp()
    messages.status({ ...ROW, status: 'ended', ended_reason: 'customer-ended-call', ...row })
    await answer()
    for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThan(1_000_000)
    return JSON.parse(bodies[1] ?? '').message
  }
  const line = (message: string) => ({ role: 'user' as const, message, time: 1, secondsFromStart: 0 })

  it('goes without the assistant’s settings', async () => {
    const assistant = stored({ metadata: 'x'.repeat(1_000_000) })
    const message = await report({ assistant, overrides: assistant, messages: [line('Hello.')] })
    expect(message).toMatchObject({
      type: 'end-of-call-report',
      endedReason: 'customer-ended-call',
      call: { id: 'a', status: 'ended' },
      artifact: { messages: [line('Hello.')] },
    })
    expect(message).not.toHaveProperty('assistant')
  })

  it('goes without what was said where that is too much by itself', async () => {
    const message = await report({ messages: [line('x'.repeat(1_000_000))] })
    expect(message).toMatchObject({ type: 'end-of-call-report', call: { id: 'a' } })
    expect(message).not.toHaveProperty('artifact')
  })
})

describe('a webhook credential that is not served', () => {
  const ended = (plan: object): CallRow => ({
    ...ROW,
    status: 'ended',
    assistant: stored({
      server: { url: URL },
      credentials: [{ provider: 'webhook', authenticationPlan: plan }],
    }),
  })

  it('and is stored is told once a call', async () => {
    const { messages, log, answer } = setUp()
    messages.status({ ...ended({ type: 'oauth2', clientSecret: 'hidden' }), status: 'in-progress' })
    messages.status(ended({ type: 'oauth2', clientSecret: 'hidden' }))
    await answer()
    expect(log).toHaveLength(1)
    expect(log[0]).toContain('not signed')
    expect(log[0]).not.toContain('hidden')
  })

  it('is not told of one that is', async () => {
    const { messages, log, answer } = setUp()
    messages.status(ended({ type: 'bearer', token: 'hidden' }))
    await answer()
    expect(log).toEqual([])
  })
})

it.each(['https://user:pass-word@hooks.example/', 'https://user:pass-word@hooks.example:port/'])(
  'a password in the address %s is not logged',
  async (url) => {
    const { messages, log, settled } = setUp(url)
    messages.status(ROW)
    await settled()
    expect(log).toHaveLength(1)
    expect(log[0]).not.toContain('pass-word')
  },
)

it('secrets are shown nowhere in a call', () => {
  const server = { url: URL, secret: 'hidden', headers: { 'x-key': 'hidden' } }
  const assistant = stored({
    firstMessage: 'Hello.',
    server,
    credentials: [{ provider: 'openai', apiKey: 'hidden' }],
    model: {
      provider: 'custom-llm',
      url: URL,
      headers: { 'x-key': 'hidden' },
      tools: [{ type: 'function', server }],
    },
    voice: { provider: 'custom-voice', server },
    transcriber: { provider: 'custom-transcriber', server },
    hooks: [{ on: 'call.ending', do: [{ type: 'tool', tool: { type: 'function', server } }] }],
    metadata: { deep: [[{ credentials: [{ token: 'hidden' }] }]] },
  })
  const row: CallRow = {
    ...ROW,
    assistant,
    assistant_given: assistant,
    overrides: assistant,
    customer: { number: '+12025550102', assistantOverrides: assistant },
  }
  const shown = withoutSecrets(row)
  expect(JSON.stringify(shown)).not.toContain('hidden')
  expect(shown.assistant).toMatchObject({
    firstMessage: 'Hello.',
    server: { url: URL },
    model: { provider: 'custom-llm', url: URL, tools: [{ type: 'function', server: { url: URL } }] },
  })
  expect(shown.customer).toMatchObject({
    number: '+12025550102',
    assistantOverrides: { firstMessage: 'Hello.' },
  })
  expect(JSON.stringify(row)).toContain('hidden')
})

describe('the server of an assistant', () => {
  const own = stored({ server: { url: 'http://192.168.0.1/' } })
  const call: CallRow = { ...ROW, type: 'inboundPhoneCall', assistant: own }
  const squad = { squad: { members: [{ assistantId: 'a' }] } }

  it.each<[string, Partial<CallRow>]>([
    ['as a whole', { assistant_given: own }],
    ['by overrides', { assistant_id: 'a', overrides: { server: { url: 'http://192.168.0.1/' } } }],
    ['in a squad', { script: squad }],
  ])('that the server of a number names %s is asked as anybody’s', async (_, row) => {
    const { messages, bodies, guarded, answer } = setUp()
    messages.status({ ...call, ...row })
    await answer()
    expect([guarded, bodies]).toEqual([['http://192.168.0.1/'], []])
  })

  it.each<[string, Partial<CallRow>]>([
    ['of a stored assistant', { assistant_id: 'a' }],
    ['of a stored squad', { squad_id: 's', script: squad }],
    ['of a call that we place', { type: 'outboundPhoneCall', assistant_given: own }],
    ['of the installation', { assistant: {}, assistant_given: {} }],
  ])('may be anywhere: %s', async (_, row) => {
    const { messages, bodies, guarded, answer } = setUp()
    messages.status({ ...call, ...row })
    await answer()
    expect(guarded).toEqual([])
    expect(bodies).toHaveLength(1)
  })
})
