import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { Call } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { createWebCall } from './call-request.js'
import type { PublicCallAdmission, PublicCalls } from './public-calls.js'

let db: Db
let bench: PlatformBench
let assistantId: string
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
afterEach(() => bench.close())

const start = async (options: Parameters<typeof startPlatform>[1] = {}, assistant: object = {}) => {
  bench = await startPlatform(db, options)
  assistantId = (await bench.client.assistants.create(assistant)).id
}
const post = (body: object, key = KEYS.public) => bench.request('POST', '/call/web', body, key)
const greet = (assistantOverrides: object) => post({ assistantId, assistantOverrides })
/** What a page sends (spec 7.5). */
const PAGE = {
  firstMessage: 'Hello, harbour bakery!',
  model: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    emotionRecognitionEnabled: true,
    maxTokens: 250,
    messages: [{ role: 'system', content: 'You answer for a bakery.' }],
  },
}
const stored = async (id: string) => {
  const { rows } = await db.query<{ assistant: Record<string, unknown>; overrides: unknown; bytes: number }>(
    'select assistant, overrides, octet_length(calls::text) as bytes from voice_platform.calls where id = $1',
    [id],
  )
  return rows[0]
}
const countCalls = async () => {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from voice_platform.calls',
  )
  return rows[0]?.count ?? 0
}
const refusal = async (answer: Promise<Response>) => {
  const response = await answer
  const { message } = (await response.json()) as { message: string | string[] }
  return [response.status, message].join(' ')
}

describe('with the public key', () => {
  it('a stored assistant speaks, with what the page says of its visitor', async () => {
    const engines = new ScriptedEngines({ replies: [['We open at seven.']] })
    await start({ engines }, { model: { provider: 'google', model: 'ours', temperature: 0.3 } })
    const answer = await greet({ ...PAGE, variableValues: { name: 'Ada' }, metadata: { page: 1 } })
    expect(answer.status).toBe(201)
    const call = (await answer.json()) as Call
    const room = bench.openRoom(call.webCallUrl ?? '', [])
    await vi.waitFor(() => expect(engines.spoken).toEqual(['Hello, harbour bakery!']))
    room.socket.send('{"type":"add-message","message":{"role":"user","content":"When are you open?"}}')
    await vi.waitFor(() => expect(engines.asked).toHaveLength(1))
    expect(engines.asked[0]?.options).toMatchObject({ model: 'ours', maxTokens: 250, temperature: 0.3 })
    expect(engines.asked[0]?.messages[0]).toEqual({ role: 'system', content: 'You answer for a bakery.' })
  })

  it('an assistant of the request’s own is refused, with what to do', async () => {
    await start()
    expect(await refusal(post({ assistant: { firstMessage: 'Hello.' } }))).toBe(
      '403 The public key may not start calls with an assistant of the request’s own: store the assistant, and send its assistantId.',
    )
  })

  it.each([
    'server',
    'credentials',
    'serverMessages',
    'artifactPlan',
    'voice',
    'transcriber',
    'maxDurationSeconds',
    'endCallPhrases',
    'hooks',
    'analysisPlan',
  ])('the override %s is refused', async (name) => {
    await start()
    const values: Record<string, unknown> = {
      server: { url: 'https://elsewhere.example' },
      credentials: [],
      serverMessages: [],
      voice: { provider: 'dear' },
      maxDurationSeconds: 43_200,
      endCallPhrases: ['bye'],
    }
    expect(await refusal(greet({ [name]: values[name] ?? {} }))).toBe(
      `403 Without the private key a call may not set assistantOverrides.${name}: set it on the stored assistant, or start the call from your server.`,
    )
  })

  it.each([
    ['tools', { tools: [] }, 403],
    ['toolIds', { toolIds: [] }, 403],
    ['temperature', { temperature: 2 }, 403],
    ['maxTokens', { maxTokens: 251 }, 400],
    ['two prompts', { messages: [0, 1].map(() => ({ role: 'system', content: 'x' })) }, 400],
    ['a prompt over 20,000 characters', { messages: [{ role: 'system', content: 'x'.repeat(20_001) }] }, 400],
    ['a user message', { messages: [{ role: 'user', content: 'x' }] }, 400],
  ])('a model with %s is refused', async (_, model, status) => {
    await start()
    expect((await greet({ model: { provider: 'openai', ...model } })).status).toBe(status)
  })

  it.each(['metadata', 'variableValues'])('%s may be small only', async (name) => {
    await start()
    expect((await greet({ [name]: { text: 'x'.repeat(3_980) } })).status).toBe(201)
    expect((await greet({ [name]: { text: 'x'.repeat(4_000) } })).status).toBe(400)
  })

  it('a prompt may not grow by its variables', async () => {
    await start()
    const prompted = (content: string, variableValues: object) =>
      greet({
        model: { provider: 'openai', messages: [{ role: 'system', content }] },
        variableValues,
      })
    const name = 'x'.repeat(3_900)
    expect((await prompted('{{name}}'.repeat(5), { name })).status).toBe(201)
    expect(await refusal(prompted('{{name}}'.repeat(6), { name }))).toBe(
      '400 assistantOverrides.variableValues make the prompt longer than 20000 characters: shorten them, or use them less often.',
    )
    // A stored prompt may be as long as it likes, and have values in it.
    const content = `You are {{name}}. ${'You sell tea. '.repeat(3_000)}`
    const messages = [{ role: 'system' as const, content }]
    await bench.client.assistants.update(assistantId, { model: { provider: 'openai', messages } })
    expect((await greet({ variableValues: { name } })).status).toBe(201)
  })

  it('a body over 64 kB is read no further, however it is sent', async () => {
    await start()
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        pulled += 16_000
        if (pulled > 10_000_000) stream.close()
        else stream.enqueue(new Uint8Array(16_000).fill(32))
      },
    })
    const init = { method: 'POST', body, duplex: 'half', headers: { authorization: `Bearer ${KEYS.public}` } }
    const answer = bench.platform.fetch(new Request('http://platform/call/web', init))
    expect(await refusal(answer)).toBe('413 The body is larger than 64000 bytes.')
    expect(pulled).toBeLessThan(200_000)
    expect(await refusal(greet({ firstMessage: 'x'.repeat(64_000) }))).toBe(
      '413 The body is larger than 64000 bytes.',
    )
  })

  it('a body of more than 500 values is refused before any schema goes through it', async () => {
    await start()
    const messages = (count: number) => ({ model: { provider: 'openai', messages: Array(count).fill({}) } })
    const checked = vi.spyOn(createWebCall, 'safeParse')
    expect(await refusal(greet(messages(20_000)))).toBe('400 The body has more than 500 values.')
    expect(await refusal(greet({ metadata: '0'.repeat(600).split('') }))).toContain('400 The body has more')
    expect(checked).not.toHaveBeenCalled()
    const few = await greet(messages(400))
    expect(few.status).toBe(400)
    expect((await few.text()).length).toBeLessThan(3_000)
    expect(checked).toHaveBeenCalledOnce()
  })

  it('a call is no longer than it may be, and silent no longer than a minute', async () => {
    await start(
      { publicCalls: { maxSeconds: 300 } },
      { maxDurationSeconds: 43_200, silenceTimeoutSeconds: 3_600 },
    )
    const { id } = (await (await post({ assistantId })).json()) as Call
    expect((await stored(id))?.assistant).toMatchObject({
      maxDurationSeconds: 300,
      silenceTimeoutSeconds: 60,
    })
    await bench.client.assistants.update(assistantId, { maxDurationSeconds: 20, silenceTimeoutSeconds: 10 })
    const { id: short } = (await (await post({ assistantId })).json()) as Call
    expect((await stored(short))?.assistant).toMatchObject({
      maxDurationSeconds: 20,
      silenceTimeoutSeconds: 10,
    })
  })

  it('nothing is started where nothing is allowed; the private key and public tokens still start calls', async () => {
    await start({ publicCalls: { allowed: false } })
    expect(await refusal(post({ assistantId }))).toContain('403 The public key starts no calls here')
    expect((await post({ assistantId }, KEYS.private)).status).toBe(201)
    const { value } = await bench.client.tokens.create({ tag: 'public' })
    expect((await post({ assistantId }, value)).status).toBe(201)
  })
})

describe('with a public token that may bring an assistant', () => {
  const bring = async (assistant: object) => {
    const restrictions = { allowTransientAssistant: true }
    const { value } = await bench.client.tokens.create({ tag: 'public', restrictions })
    return post({ assistant }, value)
  }

  it('the assistant speaks, within the times of a public call', async () => {
    await start()
    const model = { provider: 'openai', model: 'any' }
    const answer = await bring({ firstMessage: 'Hello.', model, maxDurationSeconds: 43_200 })
    const { id } = (await answer.json()) as Call
    expect((await stored(id))?.assistant).toMatchObject({ model, maxDurationSeconds: 600 })
  })

  it.each([
    [{ server: { url: 'https://elsewhere.example' } }, 403],
    [{ serverMessages: [] }, 403],
    [{ artifactPlan: { transcriptPlan: { enabled: false } } }, 403],
    [{ analysisPlan: { summaryPlan: { enabled: true } } }, 403],
    [{ model: { provider: 'openai', tools: [] } }, 403],
    [{ firstMessage: 'x'.repeat(64_000) }, 413],
  ])('%j is refused', async (assistant, status) => {
    await start()
    expect((await bring(assistant)).status).toBe(status)
  })
})

describe('whoever admits public calls', () => {
  const admission = (more: Partial<Extract<PublicCallAdmission, { admitted: true }>> = {}) => ({
    admitted: true as const,
    maxSeconds: 120,
    started: vi.fn(async () => {}),
    failed: vi.fn(async () => {}),
    ...more,
  })
  const startWith = async (answer: PublicCallAdmission, more: object = {}) => {
    const admit = vi.fn<NonNullable<PublicCalls['admit']>>(async () => answer)
    await start({ publicCalls: { admit }, ...more })
    return admit
  }

  it('sees the request, and hears of the call', async () => {
    const admitted = admission()
    const admit = await startWith(admitted)
    const { id } = (await (await post({ assistantId })).json()) as Call
    expect(admit.mock.calls[0]?.[0].headers.get('authorization')).toBe(`Bearer ${KEYS.public}`)
    expect(admitted.started).toHaveBeenCalledExactlyOnceWith(id)
    expect(admitted.failed).not.toHaveBeenCalled()
    expect((await stored(id))?.assistant).toMatchObject({ maxDurationSeconds: 120 })
  })

  it('is asked neither for the private key nor for a request that is refused anyway', async () => {
    const admit = await startWith(admission())
    await post({ assistantId }, KEYS.private)
    await post({ assistant: {} })
    await post({ assistantId: '7d3a1f1e-5a55-4b61-9a5e-0f2a3a3b1c11' })
    await greet({ voice: { provider: 'dear' } })
    await post({ assistantId }, 'nobody')
    expect(admit).not.toHaveBeenCalled()
  })

  it('refuses, and nothing is stored or spoken', async () => {
    const engines = new ScriptedEngines()
    await startWith(
      { admitted: false, status: 429, message: 'Too many calls from your address.', retryAfterSeconds: 30 },
      { engines },
    )
    const before = await countCalls()
    const answer = await greet(PAGE)
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(await refusal(Promise.resolve(answer))).toBe('429 Too many calls from your address.')
    expect(await countCalls()).toBe(before)
    expect(engines.spoken).toEqual([])
  })

  it('may refuse before the body is read or the assistant is looked up', async () => {
    const message = 'Too many calls from your address.'
    const admit = vi.fn<NonNullable<PublicCalls['admit']>>(async () => admission())
    const refusedLately = () => ({ admitted: false as const, status: 429 as const, message })
    await start({ publicCalls: { admit, refusedLately } })
    const nobodys = { assistantId: '7d3a1f1e-5a55-4b61-9a5e-0f2a3a3b1c11' }
    expect(await refusal(post(nobodys))).toBe(`429 ${message}`)
    let pulled = 0
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const init = { method: 'POST', body, duplex: 'half', headers: { authorization: `Bearer ${KEYS.public}` } }
    const unread = bench.platform.fetch(new Request('http://platform/call/web', init))
    expect(await refusal(unread)).toBe(`429 ${message}`)
    expect(pulled).toBe(0)
    expect(admit).not.toHaveBeenCalled()
  })

  const grown = {
    model: { provider: 'openai', messages: [{ role: 'system', content: '{{name}}'.repeat(6) }] },
    variableValues: { name: 'x'.repeat(3_900) },
  }

  it('is asked before a prompt is filled, so that whoever had enough calls makes no more work', async () => {
    await startWith({ admitted: false, status: 429, message: 'Too many calls from your address.' })
    expect(await refusal(greet(grown))).toBe('429 Too many calls from your address.')
  })

  it('hears of a call that is not made, as its prompt would grow', async () => {
    const admitted = admission()
    await startWith(admitted)
    expect((await greet(grown)).status).toBe(400)
    expect(admitted.failed).toHaveBeenCalledOnce()
    expect(admitted.started).not.toHaveBeenCalled()
  })

  it('hears of a call that could not be counted as started, and that call is over', async () => {
    const admitted = admission({ started: vi.fn(() => Promise.reject(new Error('no database'))) })
    await startWith(admitted)
    expect((await post({ assistantId })).status).toBe(500)
    expect(admitted.failed).toHaveBeenCalledOnce()
    await vi.waitFor(async () => {
      const [call] = await bench.client.calls.list({ limit: 1 })
      expect(call).toMatchObject({ assistantId, status: 'ended', endedReason: 'manually-canceled' })
    })
  })
})

describe('a full house', () => {
  it('refuses new web calls at once, until somebody leaves', async () => {
    const clock = new ManualClock()
    await start({ conversationsMost: 2, clock })
    const first = (await (await post({ assistantId })).json()) as Call
    await post({ assistantId })
    for (const key of [KEYS.public, KEYS.private]) {
      const answer = await post({ assistantId }, key)
      expect(answer.headers.get('retry-after')).toBe('15')
      expect(await refusal(Promise.resolve(answer))).toContain('503 Too many calls are going on')
    }
    const room = bench.openRoom(first.webCallUrl ?? '')
    await vi.waitFor(() => expect(room.texts.map(({ type }) => type)).toContain('room.listening'))
    clock.advance(15_000)
    expect((await post({ assistantId })).status).toBe(201)
    expect((await post({ assistantId })).status).toBe(503)
    room.socket.send('{"type":"room.leave"}')
    await room.closed
    await vi.waitFor(async () => {
      clock.advance(100)
      expect((await post({ assistantId })).status).toBe(201)
    })
  })

  it('full of browser calls does not keep a phone call out', async () => {
    await start({ conversationsMost: 1 })
    await post({ assistantId })
    expect((await post({ assistantId })).status).toBe(503)
    expect(
      await bench.client.calls.create({ assistantId, customer: { number: '+12025550102' } }),
    ).toMatchObject({ type: 'outboundPhoneCall' })
  })
})

describe('what strangers store', () => {
  it('is forgotten when nobody joins', async () => {
    const clock = new ManualClock()
    await start({ clock }, { name: 'Baker', model: { provider: 'openai', messages: [] } })
    const answer = await greet({ ...PAGE, firstMessage: 'x'.repeat(10_000), metadata: { at: 'the harbour' } })
    const { id } = (await answer.json()) as Call
    expect((await stored(id))?.bytes).toBeGreaterThan(20_000)
    clock.advance(15_000)
    await vi.waitFor(async () => expect((await bench.client.calls.get(id)).status).toBe('ended'))
    const row = await stored(id)
    expect(row).toMatchObject({ assistant: { name: 'Baker' }, overrides: null })
    expect(row?.bytes).toBeLessThan(1_000)
  })

  it('has a rate: 8 MB at once, and then what fills again', async () => {
    await start()
    const prompt = { ...PAGE.model, messages: [{ role: 'system', content: 'x'.repeat(20_000) }] }
    let bytes = 0
    let answer = await greet({ model: prompt })
    for (; answer.status === 201; answer = await greet({ model: prompt })) bytes += 40_000
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(bytes).toBeGreaterThan(7_000_000)
    expect(bytes).toBeLessThan(10_000_000)
  })
})
