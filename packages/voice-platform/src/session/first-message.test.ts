import { describe, expect, it } from 'vitest'
import { settled, startTestSession, vowel } from '../testing/session-bench.js'

describe('the first message', () => {
  it('is spoken to its end unless the caller may interrupt it; who spoke meanwhile is answered after it', async () => {
    const { engines, link, takeTurn, transcripts } = startTestSession(
      { firstMessage: 'This call is recorded.' },
      { heard: [{ text: 'Hello?' }], replies: [['Hello to you.']] },
      false,
    )
    await settled()
    takeTurn()
    await settled()
    expect(link.log).not.toContain('clear')
    expect(link.eventsOf('user-interrupted')).toEqual([])
    expect(engines.spoken).toEqual(['This call is recorded.'])
    link.playAll()
    await settled()
    link.playAll()
    await settled()
    expect(transcripts().toSorted()).toEqual([
      'assistant: Hello to you.',
      'assistant: This call is recorded.',
      'user: Hello?',
    ])
  })

  it('gives way to the caller where that is allowed', async () => {
    const { link, speak } = startTestSession(
      { firstMessage: 'Welcome to the shop.', firstMessageInterruptible: true },
      {},
      false,
    )
    await settled()
    speak(vowel(400))
    expect(link.log).toContain('clear')
    expect(link.eventsOf('user-interrupted')).toHaveLength(1)
  })

  it('is found by the model where the assistant says so, from the prompt alone', async () => {
    const { engines, transcripts } = startTestSession(
      { systemPrompt: 'We sell tea.', modelSpeaksFirst: true, firstMessage: 'Not this.' },
      { replies: [['Hello, would you like some tea?']] },
    )
    await settled()
    expect(engines.asked.map(({ messages }) => messages)).toEqual([
      [{ role: 'system', content: 'We sell tea.' }],
    ])
    expect(transcripts()).toEqual(['assistant: Hello, would you like some tea?'])
  })

  it('of a model is spoken to its end too', async () => {
    const { link, speak } = startTestSession({ modelSpeaksFirst: true }, {}, false)
    await settled()
    speak(vowel(400))
    expect(link.pendingMarks).toBe(1)
    expect(link.log).not.toContain('clear')
  })
})
