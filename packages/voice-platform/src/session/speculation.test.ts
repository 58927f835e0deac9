import { describe, expect, it } from 'vitest'
import type { Heard } from '../engines/engine.js'
import { NO_DELAYS, startDelayed, untilAudible } from '../testing/delayed-session.js'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'
import { APOLOGY } from './assistant-speech.js'

describe('a reply that is prepared at the first pause', () => {
  it('is heard as soon as three engines of 150, 250 and 120 ms have done their work one after the other', async () => {
    const bench = startDelayed({ replies: [['We sell tea.']] })
    await bench.live(vowel(400))
    // 160 ms until the pause counts, 520 ms of engines.
    expect(await untilAudible(bench)).toBe(680)
    await settled()
    expect(bench.transcripts()).toEqual(['user: What do you sell?', 'assistant: We sell tea.'])
    expect(bench.engines.utterances).toHaveLength(1)
    expect(bench.engines.asked).toHaveLength(1)
    expect(bench.engines.spoken).toEqual(['We sell tea.'])
  })

  it.each([
    ['What do you sell?', {}, 400],
    ['My number is 555', {}, 500],
    ['I would like', {}, 1500],
    ['What do you sell?', { waitSeconds: 1 }, 1000],
    ['I would like', { onNoPunctuationSeconds: 0.8 }, 800],
  ])('waits for the end of the turn: %s %j', async (text, startSpeaking, ms) => {
    const bench = startDelayed({ heard: [{ text }] }, { startSpeaking }, NO_DELAYS)
    await bench.live(vowel(400))
    expect(await untilAudible(bench)).toBe(ms)
  })

  it('tells nobody of itself before the turn is over', async () => {
    const { engines, link, live, transcripts } = startDelayed({ replies: [['We sell tea.']] }, {}, NO_DELAYS)
    await live(vowel(400))
    await live(silence(380))
    expect(engines.spoken).toEqual(['We sell tea.'])
    expect(link.events.map(({ type }) => type)).not.toContain('model-output')
    expect(transcripts()).toEqual([])
    expect(link.eventsOf('conversation-update')).toEqual([])
    expect(link.sent).toEqual([])
    await live(silence(20))
    expect(link.eventsOf('model-output')).toMatchObject([{ output: 'We sell tea.' }])
  })

  it('is begun at a few pauses only where the caller makes many', async () => {
    const { engines, live, transcripts } = startDelayed({ heard: [{ text: 'And' }] }, {}, NO_DELAYS)
    for (let pause = 0; pause < 40; pause += 1) {
      await live(vowel(100))
      await live(silence(200))
    }
    expect(engines.utterances.length).toBeLessThanOrEqual(22)
    expect(engines.asked.length).toBeLessThanOrEqual(22)
    await live(silence(2_000))
    expect(transcripts()).toEqual(['user: And', 'assistant: Very well.'])
  })

  it('is dropped without a trace when the caller goes on: engines at work are stopped', async () => {
    const bench = startDelayed({
      heard: [{ text: 'What do you sell?' }, { text: 'What do you sell? And when?' }],
      replies: [['We sell tea.'], ['Tea, from nine to five.']],
    })
    const { engines, link, live, transcripts, session } = bench
    await live(vowel(400))
    await live(silence(340))
    expect(engines.asked).toHaveLength(1)
    await live(vowel(400))
    expect(engines.asked[0]?.options.signal.aborted).toBe(true)
    await untilAudible(bench)
    await live(silence(1000))
    expect(engines.spoken).toEqual(['Tea, from nine to five.'])
    expect(transcripts()).toEqual(['user: What do you sell? And when?', 'assistant: Tea, from nine to five.'])
    expect(link.eventsOf('model-output').map(({ output }) => output)).toEqual(['Tea, from nine to five.'])
    expect(link.eventsOf('speech-update')).toHaveLength(4)
    session.end('assistant-ended-call')
    expect((await session.ended).messages.map(({ message }) => message)).toEqual([
      'What do you sell? And when?',
      'Tea, from nine to five.',
    ])
  })

  it('asks for all of the turn again after each pause, as one that began at the same time', async () => {
    const { clock, engines, live } = startDelayed({}, {}, NO_DELAYS)
    const began = clock.now()
    await live(vowel(400))
    await live(silence(200))
    await live(vowel(400))
    await live(silence(500))
    const [first, second] = engines.utterances
    expect(second?.length).toBe((first?.length ?? 0) + 320 * (10 + 20))
    expect(engines.listened.map(({ startedAt }) => startedAt)).toEqual([began, began])
  })

  it('stops a transcriber that is at work when the caller goes on', async () => {
    const { engines, live } = startDelayed({})
    await live(vowel(400))
    await live(silence(200))
    expect(engines.listened.map(({ signal }) => signal.aborted)).toEqual([false])
    await live(vowel(20))
    expect(engines.listened.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  it('is made anew when the conversation has changed meanwhile', async () => {
    const { engines, link, live, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'What do you sell?' }], replies: [['We sell tea.'], ['Not to you.']] },
      false,
      NO_DELAYS,
    )
    await live(vowel(400))
    await live(silence(200))
    const message = { role: 'system', content: 'The caller is banned.' }
    link.handlers.onMessage({ type: 'add-message', message, triggerResponseEnabled: false })
    await live(silence(300))
    expect(engines.asked[0]?.options.signal.aborted).toBe(true)
    link.playAll()
    await settled()
    expect(transcripts()).toEqual(['user: What do you sell?', 'assistant: Not to you.'])
    expect(link.eventsOf('model-output').map(({ output }) => output)).toEqual(['Not to you.'])
  })

  it('waits for the words of the turn before, to reply to both', async () => {
    const { engines, live, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'Hello?' }], replies: [['Yes.']] },
    )
    const { transcribe } = engines.transcriber
    let answer = (_heard: Heard) => {}
    engines.transcriber.transcribe = () => {
      engines.transcriber.transcribe = transcribe
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    await live(vowel(400))
    await live(silence(1600))
    await live(vowel(400))
    await live(silence(300))
    expect(engines.asked).toEqual([])
    answer({ text: 'Is anybody there?', durationMs: 400 })
    await live(silence(200))
    expect(transcripts()).toEqual(['user: Is anybody there?', 'user: Hello?', 'assistant: Yes.'])
    expect(engines.asked).toHaveLength(1)
  })

  it('is asked for at once where the words come only when the pause is long enough: no frame has to come first', async () => {
    const { clock, engines, link, live } = startDelayed({}, {}, { ...NO_DELAYS, transcriberMs: 445 })
    await live(vowel(400))
    await live(silence(600))
    expect(engines.asked).toEqual([])
    clock.advance(10)
    await settled()
    expect(engines.asked).toHaveLength(1)
    expect(link.eventsOf('speech-update').at(-1)).toMatchObject({ role: 'user', status: 'stopped' })
  })

  it('stops at once when the caller interrupts what is not even heard yet', async () => {
    const { engines, live, speak } = startDelayed({ replies: ['hang'] }, {}, NO_DELAYS)
    await live(vowel(400))
    await live(silence(500))
    expect(engines.asked[0]?.options.signal.aborted).toBe(false)
    speak(vowel(100))
    expect(engines.asked[0]?.options.signal.aborted).toBe(true)
  })

  it('is not made while the assistant says something that the caller cannot interrupt', async () => {
    const { engines, link, live } = startTestSession({}, { heard: [{ text: 'Hello?' }] }, false)
    link.handlers.onMessage({ type: 'say', message: 'This call is recorded.' })
    await live(vowel(400))
    await live(silence(500))
    expect(engines.asked).toEqual([])
    link.playAll()
    await settled()
    expect(engines.asked).toHaveLength(1)
  })

  it('is dropped where the caller speaks again before its turn has come', async () => {
    const { engines, link, live } = startTestSession(
      {},
      { heard: [{ text: 'Hello?' }], replies: ['hang'] },
      false,
    )
    await live(vowel(400))
    await live(silence(200))
    link.handlers.onMessage({ type: 'say', message: 'This call is recorded.' })
    await live(silence(300))
    expect(engines.asked.map(({ options }) => options.signal.aborted)).toEqual([false])
    await live(vowel(400))
    expect(engines.asked.map(({ options }) => options.signal.aborted)).toEqual([true])
  })

  it('is not made by a muted assistant', async () => {
    const { engines, link, live, transcripts } = startDelayed({}, {}, NO_DELAYS)
    link.handlers.onMessage({ type: 'control', control: 'mute-assistant' })
    await live(vowel(400))
    await live(silence(600))
    expect(engines.asked).toEqual([])
    expect(transcripts()).toEqual(['user: What do you sell?'])
  })

  it('is stopped with the call', async () => {
    const { clock, engines, live, session } = startDelayed({})
    await live(vowel(400))
    await live(silence(340))
    session.end('assistant-ended-call')
    await session.ended
    await settled()
    expect(engines.asked[0]?.options.signal.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('is cut by the caller like any other: what was heard stays, to the word', async () => {
    const { engines, link, live, transcripts } = startTestSession(
      {},
      {
        heard: [{ text: 'When are you open?' }],
        replies: [['We open at nine. We close at five in the evening.']],
      },
      false,
      NO_DELAYS,
    )
    await live(vowel(400))
    await live(silence(400))
    link.playOne()
    await settled()
    link.playedMs = (engines.spoken[1] ?? '').length * 6.25 * 0.5
    await live(vowel(300))
    expect(link.log).toContain('clear')
    expect(transcripts()).toEqual(['user: When are you open?', 'assistant: We open at nine. We close at'])
  })
})

describe('an engine that fails ahead of time', () => {
  it('gets its second try before anybody notices', async () => {
    const { engines, live, transcripts } = startDelayed(
      {
        heard: [new Error('broken'), { text: 'Hello.' }],
        replies: [new Error('broken'), ['Good day.']],
        voiceFails: () => true,
        voiceFailures: 1,
      },
      {},
      NO_DELAYS,
    )
    await live(vowel(400))
    await live(silence(600))
    expect(transcripts()).toEqual(['user: Hello.', 'assistant: Good day.'])
    expect([engines.utterances, engines.asked, engines.spoken].map(({ length }) => length)).toEqual([2, 2, 2])
  })

  it.each([
    ['transcriber', { heard: [new Error('broken')] }],
    ['model', { replies: [new Error('broken')] }],
    ['voice', { voiceFails: (text: string) => text === 'Very well.' }],
  ])('twice: the %s is apologised for, once the turn is over', async (_, script) => {
    const { live, transcripts } = startDelayed(script, {}, NO_DELAYS)
    await live(vowel(400))
    await live(silence(380))
    expect(transcripts()).toEqual([])
    await live(silence(300))
    expect(transcripts().at(-1)).toBe(`assistant: ${APOLOGY}`)
  })
})
