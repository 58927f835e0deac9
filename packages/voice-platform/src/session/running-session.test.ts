import { describe, expect, it } from 'vitest'
import type { Heard } from '../engines/engine.js'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'

describe('the beginning', () => {
  it('listens, then speaks the first message verbatim', async () => {
    const { engines, link } = startTestSession({ firstMessage: 'Hey Ada! Shall we begin, or not?' })
    expect(link.log.slice(0, 4)).toEqual(['open', 'listening', 'status-update', 'assistant.started'])
    await settled()
    expect(link.log.slice(4)).toEqual([
      'send',
      'speech-update',
      'mark',
      'send',
      'mark',
      'speech-update',
      'transcript',
      'conversation-update',
    ])
    expect(engines.spoken).toEqual(['Hey Ada!', 'Shall we begin, or not?'])
    expect(link.eventsOf('status-update')).toMatchObject([{ status: 'in-progress' }])
    expect(link.eventsOf('speech-update')).toMatchObject([
      { role: 'assistant', status: 'started' },
      { role: 'assistant', status: 'stopped' },
    ])
    expect(link.eventsOf('transcript')).toMatchObject([
      { role: 'assistant', transcriptType: 'final', transcript: 'Hey Ada! Shall we begin, or not?' },
    ])
    expect(link.sent.reduce((sum, { length }) => sum + length, 0)).toBe(3100)
  })

  it('waits for the caller without a first message', async () => {
    const { engines, link } = startTestSession({ firstMessage: '  ' })
    await settled()
    expect(engines.spoken).toEqual([])
    expect(link.log).toEqual(['open', 'listening', 'status-update', 'assistant.started'])
  })

  it('makes a sentence while the one before it plays, and no more', async () => {
    const { engines, link } = startTestSession(
      { firstMessage: 'One is long. Two is long. Three is long. Four is long.' },
      {},
      false,
    )
    await settled()
    expect(engines.spoken).toHaveLength(2)
    link.playOne()
    await settled()
    expect(engines.spoken).toHaveLength(3)
    expect(link.eventsOf('transcript')).toEqual([])
  })
})

describe('a turn of the caller', () => {
  it('is transcribed, answered and recorded', async () => {
    const { clock, engines, link, takeTurn, transcripts } = startTestSession(
      { systemPrompt: 'We sell tea.', model: 'gpt-4o-mini', temperature: 0.5 },
      { heard: [{ text: 'What do you sell?' }], replies: [['We sell', ' tea. It ', 'is green.']] },
    )
    takeTurn()
    await settled()
    expect(engines.asked[0]?.messages).toEqual([
      { role: 'system', content: 'We sell tea.' },
      { role: 'user', content: 'What do you sell?' },
    ])
    expect(engines.asked[0]?.options).toMatchObject({
      model: 'gpt-4o-mini',
      temperature: 0.5,
      maxTokens: 250,
    })
    expect(engines.spoken).toEqual(['We sell tea.', 'It is green.'])
    expect(transcripts()).toEqual(['user: What do you sell?', 'assistant: We sell tea. It is green.'])
    expect(link.eventsOf('model-output').map(({ output }) => output)).toEqual([
      'We sell',
      ' tea. It ',
      'is green.',
    ])
    expect(link.eventsOf('speech-update')).toMatchObject([
      { role: 'user', status: 'started' },
      { role: 'user', status: 'stopped' },
      { role: 'assistant', status: 'started' },
      { role: 'assistant', status: 'stopped' },
    ])
    clock.advance(100)
    expect(link.eventsOf('conversation-update').at(-1)).toMatchObject({
      conversation: [
        { role: 'user', content: 'What do you sell?' },
        { role: 'assistant', content: 'We sell tea. It is green.' },
      ],
      messages: [{ role: 'user' }, { role: 'bot' }],
    })
  })

  it('stands in the conversation as unintelligible where the words are not known', async () => {
    const { engines, takeTurn } = startTestSession({}, { heard: [{ text: null }] })
    takeTurn()
    await settled()
    expect(engines.asked[0]?.messages.at(-1)?.content).toMatch(/^\[unintelligible speech, \d\.\d s\]$/)
  })

  it('is not answered when nothing was said', async () => {
    const { engines, takeTurn } = startTestSession({}, { heard: [{ text: ' ' }] })
    takeTurn()
    await settled()
    expect(engines.utterances).toHaveLength(1)
    expect(engines.asked).toEqual([])
  })

  it('goes on in the next one when the caller speaks before the answer: both are answered together', async () => {
    const { engines, link, takeTurn, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'I would like' }, { text: 'a pot of tea.' }], replies: ['hang', ['With pleasure.']] },
    )
    takeTurn()
    await settled()
    takeTurn()
    await settled()
    expect(engines.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'I would like',
      'a pot of tea.',
    ])
    expect(link.eventsOf('user-interrupted')).toEqual([])
    expect(transcripts().at(-1)).toBe('assistant: With pleasure.')
  })

  it('keeps the words of a turn whose transcript comes after the next one began', async () => {
    let transcribe = (_heard: Heard) => {}
    const { engines, takeTurn, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'Hello?' }], replies: [['Yes.']] },
    )
    const { transcribe: second } = engines.transcriber
    engines.transcriber.transcribe = () => {
      engines.transcriber.transcribe = second
      return new Promise((resolve) => {
        transcribe = resolve
      })
    }
    takeTurn()
    await settled()
    takeTurn()
    await settled()
    expect(transcripts()).toEqual([])
    transcribe({ text: 'Is anybody there?', durationMs: 400 })
    await settled()
    expect(transcripts()).toEqual(['user: Is anybody there?', 'user: Hello?', 'assistant: Yes.'])
    expect(engines.asked).toHaveLength(1)
  })
})

describe('an interruption', () => {
  it('silences the assistant at once and keeps what was heard, to the word', async () => {
    const { engines, link, session, speak, transcripts } = startTestSession(
      {
        firstMessage: 'We open at nine. We close at five in the evening.',
        firstMessageInterruptible: true,
      },
      {},
      false,
    )
    await settled()
    link.playOne()
    link.playedMs = (engines.spoken[1] ?? '').length * 6.25 * 0.5
    speak(vowel(300))
    expect(link.log).toContain('clear')
    expect(link.eventsOf('user-interrupted')).toHaveLength(1)
    await settled()
    expect(transcripts()).toEqual(['assistant: We open at nine. We close at'])
    session.end('assistant-ended-call')
    expect((await session.ended).messages).toMatchObject([
      { role: 'bot', message: 'We open at nine. We close at', secondsFromStart: 0 },
      { role: 'user', message: '[unintelligible speech, 0.3 s]' },
    ])
  })

  it('needs 200 ms of speech, so that a cough does not count', async () => {
    const { link, speak } = startTestSession(
      { firstMessage: 'We open at nine.', firstMessageInterruptible: true },
      {},
      false,
    )
    await settled()
    speak(vowel(100))
    speak(silence(300))
    expect(link.log).not.toContain('clear')
  })

  it('leaves out a sentence of which nothing was heard', async () => {
    const { link, speak, transcripts } = startTestSession(
      { firstMessage: 'We open at nine. We close at five.', firstMessageInterruptible: true },
      {},
      false,
    )
    await settled()
    link.playOne()
    speak(vowel(300))
    await settled()
    expect(transcripts()).toEqual(['assistant: We open at nine.'])
  })
})

describe('the end', () => {
  it('comes when the caller leaves', async () => {
    const { clock, link, session } = startTestSession({ systemPrompt: 'We sell tea.' })
    clock.advance(5000)
    link.leave()
    const record = await session.ended
    expect(record).toMatchObject({
      endedReason: 'customer-ended-call',
      messages: [{ role: 'system', message: 'We sell tea.', secondsFromStart: 0 }],
    })
    expect(record.endedAt.getTime() - record.startedAt.getTime()).toBe(5000)
    expect(clock.pending).toBe(0)
  })

  it('is told to the client, then the link closes; a second end changes nothing', async () => {
    const { link, session } = startTestSession()
    session.end('assistant-ended-call')
    session.end('silence-timed-out')
    expect(await session.ended).toMatchObject({ endedReason: 'assistant-ended-call' })
    expect(link.log.slice(-2)).toEqual(['status-update', 'close:assistant-ended-call'])
    expect(link.events.at(-1)).toMatchObject({ status: 'ended', endedReason: 'assistant-ended-call' })
  })

  it('cuts the assistant short and still knows what was heard', async () => {
    const { engines, link, session } = startTestSession({ firstMessage: 'We open at nine today.' }, {}, false)
    await settled()
    link.playedMs = (engines.spoken[0] ?? '').length * 6.25 * 0.6
    session.end('assistant-ended-call')
    expect((await session.ended).messages).toMatchObject([{ message: 'We open at' }])
  })

  it.each(['left', 'lost'] as const)('keeps what a caller who has %s had heard by then', async (reason) => {
    const { engines, link, session } = startTestSession(
      { firstMessage: 'We open at nine today. We close at five in the evening. Come any time you like.' },
      {},
      false,
    )
    await settled()
    // The first sentence whole, without its mark having come, and half of the second.
    const [first = '', second = ''] = engines.spoken
    link.playedMs = first.length * 6.25 + second.length * 6.25 * 0.5
    link.leave(reason)
    expect(await session.ended).toMatchObject({
      endedReason: 'customer-ended-call',
      messages: [{ role: 'bot', message: 'We open at nine today. We close at' }],
    })
  })

  it('comes after the time in which nobody spoke, counted from the last speech', async () => {
    const { clock, link, session, takeTurn } = startTestSession(
      { firstMessage: 'We open at nine today.' },
      { heard: [{ text: '' }] },
      false,
    )
    await settled()
    clock.advance(60_000)
    link.playAll()
    await settled()
    clock.advance(20_000)
    takeTurn()
    await settled()
    clock.advance(29_000)
    await settled()
    expect(link.log.at(-1)).not.toMatch(/^close/)
    clock.advance(2000)
    expect(await session.ended).toMatchObject({ endedReason: 'silence-timed-out' })
  })

  it('comes when the call has lasted long enough, whatever goes on', async () => {
    const { clock, session } = startTestSession(
      { firstMessage: 'We open at nine today.', maxDurationSeconds: 10 },
      {},
      false,
    )
    await settled()
    clock.advance(10_000)
    expect(await session.ended).toMatchObject({ endedReason: 'exceeded-max-duration' })
  })

  it('comes before the carrier bills one more minute, however long before the session it was answered', async () => {
    const calls = { answeredMsAgo: 2_000 }
    const { clock, link, session } = startTestSession(
      { maxDurationSeconds: 60, silenceTimeoutSeconds: 600 },
      ...[{}, true, undefined, undefined, calls],
    )
    await settled()
    clock.advance(56_000)
    await settled()
    expect(link.log.at(-1)).not.toMatch(/^close/)
    clock.advance(1_000)
    expect(await session.ended).toMatchObject({ endedReason: 'exceeded-max-duration' })
  })

  it('stops engines that are at work, and ignores what comes after it', async () => {
    const { clock, engines, link, session, takeTurn } = startTestSession(
      {},
      { heard: [{ text: 'Hello.' }], replies: ['hang'] },
    )
    takeTurn()
    await settled()
    session.end('assistant-ended-call')
    await session.ended
    expect(engines.asked[0]?.options.signal.aborted).toBe(true)
    takeTurn()
    link.handlers.onMessage({ type: 'say', message: 'Still there?' })
    await settled()
    expect(engines.utterances).toHaveLength(1)
    expect(engines.spoken).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
