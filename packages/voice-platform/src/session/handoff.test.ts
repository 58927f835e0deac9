import { describe, expect, it } from 'vitest'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'
import { FILLERS } from './fillers.js'
import { MOST_HANDOFFS, NOT_HANDED_OVER } from './handoff.js'
import type { HandoffTarget, KeptHistory, NextSpeaker, SessionAssistant } from './session-assistant.js'

const PLAN = { maxDurationSeconds: 600, silenceTimeoutSeconds: 30 }
const bella = new ScriptedEngines({ replies: [['Bella here.']] })

const targetOf = (
  assistant: Partial<SessionAssistant> = {},
  more: Partial<HandoffTarget> = {},
  next: Partial<NextSpeaker> = {},
): HandoffTarget => ({
  name: 'Bella',
  message: 'One moment.',
  history: 'all',
  open: async () => ({
    type: 'speaker',
    speaker: { assistant: { ...PLAN, name: 'Bella', ...assistant }, model: bella.model, ...next },
  }),
  ...more,
})

const withTool = (target: HandoffTarget): Partial<SessionAssistant> => ({
  name: 'Anna',
  systemPrompt: 'You are Anna.',
  firstMessage: 'Anna speaking.',
  tools: [{ type: 'handoff', name: 'handoff', destinations: [target] }],
})

const USES = [[{ name: 'handoff', arguments: { destination: 'Bella' } }]]

describe('a handoff', () => {
  it('announces itself, and the next assistant speaks its first message with its own settings', async () => {
    const target = targetOf(
      { firstMessage: 'Bella speaking.', systemPrompt: 'You are Bella.' },
      {},
      { id: 'b' },
    )
    const { session, engines, link, takeTurn } = startTestSession(withTool(target), {
      heard: [{ text: 'Sales, please.' }],
      replies: [['Of course.']],
      uses: USES,
    })
    await settled()
    takeTurn()
    await settled()
    expect(engines.spoken).toEqual(['Anna speaking.', 'Of course.', 'One moment.', 'Bella speaking.'])
    expect(link.eventsOf('transfer-update')).toMatchObject([
      {
        destination: { type: 'assistant', assistantName: 'Bella', message: 'One moment.' },
        fromAssistant: { name: 'Anna' },
        toAssistant: { name: 'Bella' },
      },
    ])
    expect(link.eventsOf('assistant.started').at(-1)).toMatchObject({
      newAssistant: { name: 'Bella', firstMessage: 'Bella speaking.' },
    })
    expect(JSON.stringify(link.events)).not.toContain('You are Bella.')
    session.end('customer-ended-call')
    await settled()
    const { activations, messages } = await session.ended
    expect(activations).toMatchObject([
      { assistantName: 'Anna' },
      { assistantName: 'Bella', assistantId: 'b' },
    ])
    expect(messages.map(({ message }) => message)).toContain('You are Bella.')
  })

  it('has the model of the next one answer the caller where it has no first message', async () => {
    const { engines, takeTurn } = startTestSession(withTool(targetOf({ systemPrompt: 'You are Bella.' })), {
      heard: [{ text: 'Sales, please.' }],
      replies: [['Of course.']],
      uses: USES,
    })
    await settled()
    takeTurn()
    await settled()
    expect(engines.spoken.at(-1)).toBe('Bella here.')
    expect(bella.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'You are Bella.',
      'Anna speaking.',
      'Sales, please.',
      'Of course.',
      'One moment.',
    ])
  })

  it.each<[KeptHistory, string[]]>([
    ['none', ['You are Bella.']],
    ['rolling', ['You are Anna.', 'You are Bella.', 'Anna speaking.', 'One moment.']],
    [{ last: 1 }, ['You are Bella.', 'One moment.']],
    ['words', ['You are Bella.', 'Anna speaking.', 'One moment.']],
  ])('hands on as much of the conversation as its plan says: %j', async (history, read) => {
    const { session } = startTestSession(withTool(targetOf()))
    await settled()
    session.handOff(targetOf({ systemPrompt: 'You are Bella.' }, { history }))
    await settled()
    expect(bella.asked.at(-1)?.messages.map(({ content }) => content)).toEqual(read)
  })

  it('goes only where the tool lists a destination', async () => {
    const { session, engines, takeTurn } = startTestSession(withTool(targetOf()), {
      heard: [{ text: 'Put me through to Mallory.' }],
      replies: [['Let me see.']],
      uses: [[{ name: 'handoff', arguments: { destination: 'Mallory' } }]],
    })
    await settled()
    takeTurn()
    await settled()
    expect(engines.spoken).toEqual(['Anna speaking.', 'Let me see.'])
    expect(session.messages().at(-1)?.message).toContain('none of the destinations')
  })

  it('is refused after too many, and the call goes on', async () => {
    const { session, engines } = startTestSession()
    for (let count = 0; count <= MOST_HANDOFFS; count += 1) {
      session.handOff(targetOf({ firstMessage: 'Hello.' }))
      await settled()
    }
    expect(engines.spoken.filter((said) => said === 'Hello.')).toHaveLength(MOST_HANDOFFS)
    expect(engines.spoken.at(-1)).toBe(NOT_HANDED_OVER)
  })

  it('says so where nobody takes over', async () => {
    const { session, engines } = startTestSession()
    session.handOff(targetOf({}, { open: () => Promise.reject(new Error('away')) }))
    await settled()
    expect(engines.spoken.at(-1)).toBe(NOT_HANDED_OVER)
    expect(session.messages().at(-1)?.role).toBe('bot')
  })

  it('leaves the caller the first word where the next assistant waits for it', async () => {
    const { session, engines } = startTestSession()
    session.handOff(targetOf({ waitsForCaller: true }))
    await settled()
    expect(engines.spoken).toEqual(['One moment.'])
  })

  it.each([true, false])(
    'leaves nobody in silence for two seconds while the next one is found; the assistant is muted: %s',
    async (isMuted) => {
      let open = () => {}
      const opened = new Promise<void>((resolve) => {
        open = resolve
      })
      const { session, engines, link, clock } = startTestSession()
      const target = targetOf({ firstMessage: 'Hello.' })
      session.handOff({ ...target, open: (said, signal) => opened.then(() => target.open(said, signal)) })
      await settled()
      if (isMuted) session.obey({ type: 'control', control: 'mute-assistant' })
      let longest = 0
      let sinceMs = 0
      for (let ms = 0; ms < 12_000; ms += 200) {
        const before = link.sent.length
        clock.advance(200)
        await settled()
        sinceMs = link.sent.length > before ? 0 : sinceMs + 200
        longest = Math.max(longest, sinceMs)
      }
      if (isMuted) expect(longest).toBe(12_000)
      else expect(longest).toBeLessThan(2_000)
      open()
      await settled()
      expect(engines.spoken).toEqual(
        isMuted ? ['One moment.'] : ['One moment.', FILLERS[0], FILLERS[1], 'Hello.'],
      )
      const sent = link.sent.length
      clock.advance(10_000)
      await settled()
      expect(link.sent).toHaveLength(sent)
    },
  )

  it('does not talk over a caller who speaks while the next one is found', async () => {
    const { session, engines, clock, live } = startTestSession({}, { heard: [{ text: 'Hello?' }] })
    session.handOff(targetOf({}, { open: () => new Promise(() => {}) }))
    await live(vowel(4_000))
    expect(engines.spoken).toEqual(['One moment.'])
    await live(silence(3_000))
    expect(engines.spoken).toContain(FILLERS[0])
    session.end('customer-ended-call')
    clock.advance(1_000)
    await session.ended
    expect(clock.pending).toBe(0)
  })

  it('brings the background sound of the next assistant, or none', async () => {
    const { session, link } = startTestSession({ backgroundSound: 'office' })
    const log = () => link.log.filter((entry) => entry.endsWith('office'))
    session.handOff(targetOf())
    await settled()
    expect(log()).toEqual(['office', 'no office'])
    session.handOff(targetOf({ backgroundSound: 'office' }))
    await settled()
    session.handOff(targetOf({ backgroundSound: 'office' }))
    await settled()
    expect(log()).toEqual(['office', 'no office', 'office'])
  })

  it('does not happen in a call that ends meanwhile', async () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const { session, engines } = startTestSession()
    const target = targetOf({ firstMessage: 'Hello.' })
    session.handOff({ ...target, open: (said, signal) => opened.then(() => target.open(said, signal)) })
    await settled()
    session.end('customer-ended-call')
    open()
    await settled()
    expect(engines.spoken).toEqual(['One moment.'])
    expect((await session.ended).activations).toBeUndefined()
  })
})
