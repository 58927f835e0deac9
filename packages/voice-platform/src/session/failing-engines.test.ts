import { describe, expect, it, vi } from 'vitest'
import { EngineError } from '../engines/engine.js'
import type { EngineScript } from '../testing/scripted-engines.js'
import { settled, startTestSession } from '../testing/session-bench.js'
import { APOLOGY } from './assistant-speech.js'
import { MOST_TURN_CHARACTERS } from './turn-words.js'

const failure = new EngineError('scripted', 'it failed')

describe('a failing engine', () => {
  it('gets one more try before anybody notices', async () => {
    const { engines, takeTurn, transcripts } = startTestSession(
      { firstMessage: 'Welcome to the shop.' },
      {
        heard: [failure, { text: 'Hello.' }],
        replies: [failure, ['Good day.']],
        voiceFails: (text) => text.startsWith('Welcome'),
        voiceFailures: 1,
      },
    )
    await settled()
    takeTurn()
    await settled()
    expect(transcripts()).toEqual(['assistant: Welcome to the shop.', 'user: Hello.', 'assistant: Good day.'])
    expect(engines.utterances).toHaveLength(2)
    expect(engines.asked).toHaveLength(2)
  })

  it.each([
    ['transcriber', { heard: [failure] }],
    ['model', { heard: [{ text: 'Hello.' }], replies: [failure] }],
    ['silent model', { heard: [{ text: 'Hello.' }], replies: [[]] }],
    [
      'voice for this text',
      { heard: [{ text: 'Hello.' }], voiceFails: (text: string) => text === 'Very well.' },
    ],
  ] satisfies [string, EngineScript][])('twice: %s: an apology is spoken', async (_, script) => {
    const { engines, takeTurn, transcripts } = startTestSession({}, script)
    takeTurn()
    await settled()
    expect(transcripts().at(-1)).toBe(`assistant: ${APOLOGY}`)
    expect(engines.spoken.filter((text) => APOLOGY.startsWith(text))).toHaveLength(1)
  })

  it('a transcriber that says more than anybody can have said: the rest of the turn is left out', async () => {
    const { engines, takeTurn, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'Hello.' }, { text: 'and '.repeat(1_000_000) }] },
    )
    takeTurn()
    await settled()
    takeTurn()
    await settled()
    expect(transcripts()[0]).toBe('user: Hello.')
    const read = engines.asked.at(-1)?.messages.map(({ content }) => content.length) ?? []
    expect(read).toHaveLength(3)
    expect(Math.max(...read)).toBeLessThanOrEqual(MOST_TURN_CHARACTERS)
  })

  it('a model that heeds no limit of tokens: its reply is over after as many words as those can be', async () => {
    const endless = Array.from({ length: 30_000 }, () => 'a')
    const { link, takeTurn, transcripts } = startTestSession(
      { maxTokens: 10 },
      { heard: [{ text: 'Hello.' }], replies: [endless] },
    )
    takeTurn()
    await settled()
    expect(link.eventsOf('model-output')).toHaveLength(200)
    expect(transcripts()).toEqual(['user: Hello.', `assistant: ${'a'.repeat(200)}`])
  })

  it('in the middle of a reply: what was said stays, then the apology', async () => {
    const { takeTurn, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'Hello.' }], replies: [['Good day to you. And', failure]] },
    )
    takeTurn()
    await settled()
    expect(transcripts().slice(1)).toEqual(['assistant: Good day to you.', `assistant: ${APOLOGY}`])
  })

  it('without any voice left: the call goes on, and the log says so once', async () => {
    const { engines, link, logger, session, takeTurn } = startTestSession(
      { firstMessage: 'Welcome.' },
      { heard: [{ text: 'Hello.' }], voiceFails: () => true },
    )
    const warn = vi.spyOn(logger, 'warn')
    await settled()
    takeTurn()
    await settled()
    takeTurn()
    await settled()
    expect(engines.asked).toHaveLength(2)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(link.sent).toEqual([])
    session.end('assistant-ended-call')
    expect((await session.ended).messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })
})
