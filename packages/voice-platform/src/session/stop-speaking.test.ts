import { describe, expect, it } from 'vitest'
import type { EngineScript } from '../testing/scripted-engines.js'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'
import type { StopSpeaking } from './session.js'

/** A call in which the assistant is speaking. */
async function speaking(stopSpeaking: Partial<StopSpeaking>, script: EngineScript = {}) {
  const bench = startTestSession(
    { firstMessage: 'We open at nine.', firstMessageInterruptible: true, stopSpeaking },
    script,
    false,
  )
  await settled()
  const isCut = () => bench.link.log.includes('clear')
  return { ...bench, isCut }
}

describe('voiceSeconds', () => {
  it.each([
    [0.1, 5],
    [0.2, 10],
    [0.5, 25],
    [0, 1],
  ])('%d: that much voice interrupts the assistant', async (voiceSeconds, frames) => {
    const { isCut, live } = await speaking({ voiceSeconds })
    await live(vowel(40 + frames * 20).subarray(640, 640 + (frames - 1) * 320))
    expect(isCut()).toBe(false)
    await live(vowel(20))
    expect(isCut()).toBe(true)
  })
})

describe('numWords', () => {
  it('lets no sound interrupt, but as many words', async () => {
    const { isCut, link, live, transcripts } = await speaking(
      { numWords: 2, backoffSeconds: 0 },
      { heard: [{ text: 'Stop please.' }] },
    )
    await live(vowel(400))
    expect(isCut()).toBe(false)
    await live(silence(200))
    expect(isCut()).toBe(true)
    expect(link.eventsOf('user-interrupted')).toHaveLength(1)
    await live(silence(400))
    link.playAll()
    await settled()
    expect(transcripts()).toEqual(['user: Stop please.', 'assistant: Very well.'])
  })

  it('takes fewer for a sign of listening: they are noted and not answered', async () => {
    const { engines, isCut, link, live, transcripts } = await speaking(
      { numWords: 2 },
      { heard: [{ text: 'Okay.' }] },
    )
    // Shorter than what would interrupt by its sound.
    await live(vowel(120))
    await live(silence(600))
    link.playAll()
    await settled()
    expect(isCut()).toBe(false)
    expect(transcripts()).toEqual(['user: Okay.', 'assistant: We open at nine.'])
    expect(engines.asked).toEqual([])
  })

  it('answers fewer when the assistant has finished meanwhile', async () => {
    const { engines, link, live } = await speaking({ numWords: 2 }, { heard: [{ text: 'Okay.' }] })
    await live(vowel(400))
    link.playAll()
    await live(silence(600))
    expect(engines.asked).toHaveLength(1)
  })

  it('takes words that are not known for enough', async () => {
    const { isCut, live } = await speaking({ numWords: 5 }, { heard: [{ text: null }] })
    await live(vowel(400))
    await live(silence(200))
    expect(isCut()).toBe(true)
  })

  it('counts words that come only after the turn', async () => {
    const { engines, isCut, takeTurn } = await speaking(
      { numWords: 2 },
      { heard: [{ text: 'Stop please.' }] },
    )
    takeTurn()
    expect(isCut()).toBe(false)
    await settled()
    expect(isCut()).toBe(true)
    expect(engines.asked).toHaveLength(1)
  })
})

describe('phrases', () => {
  it.each([
    ['Yeah, okay, I see.', { acknowledgementPhrases: ['yeah', 'okay', 'i see'] }, false],
    ['Yeah, okay, when do you open?', { acknowledgementPhrases: ['yeah', 'okay'] }, true],
    ['Yeah, okay, I see.', {}, true],
    ['Stop.', {}, false],
    ['Halt!', { interruptionPhrases: ['halt'] }, true],
    ['Tea.', { interruptionPhrases: ['halt'] }, false],
  ])('with three words: "%s" and %j cuts the assistant: %s', async (text, phrases, cuts) => {
    const { isCut, live } = await speaking({ numWords: 3, ...phrases }, { heard: [{ text }] })
    await live(vowel(400))
    await live(silence(200))
    expect(isCut()).toBe(cuts)
  })

  it('are not waited for where the sound of a voice interrupts', async () => {
    const { isCut, live } = await speaking(
      { acknowledgementPhrases: ['okay'] },
      { heard: [{ text: 'Okay.' }] },
    )
    await live(vowel(400))
    expect(isCut()).toBe(true)
  })
})

describe('backoffSeconds', () => {
  it.each([
    [1, 1000],
    [3, 3000],
  ])('%d: nothing is said for so long after an interruption', async (backoffSeconds, ms) => {
    const { clock, engines, link, live } = await speaking({ backoffSeconds }, { heard: [{ text: 'Stop.' }] })
    await live(vowel(300))
    const at = clock.now()
    const interrupted = link.sent.length
    while (link.sent.length === interrupted && clock.now() < at + 5000) await live(silence(20))
    // The interruption came after 200 ms of voice, 100 ms before the speech was over.
    expect(clock.now() - at).toBe(ms - 100)
    expect(engines.asked).toHaveLength(1)
  })

  it('holds up nothing that follows a turn which interrupted nobody', async () => {
    const { link, live } = startTestSession({}, { heard: [{ text: 'Hello.' }] })
    await live(vowel(300))
    await live(silence(400))
    expect(link.sent).toHaveLength(1)
  })

  it('ends with the call', async () => {
    const { clock, live, session } = await speaking({ backoffSeconds: 10 }, { heard: [{ text: 'Stop.' }] })
    await live(vowel(300))
    await live(silence(600))
    session.end('assistant-ended-call')
    await session.ended
    expect(clock.pending).toBe(0)
  })
})

describe('a cough', () => {
  it('while the reply is thought out does not lose it: it is made again, and once it was heard no more', async () => {
    const { engines, live, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'What is the time?' }, { text: '' }, { text: '' }], replies: [['It is noon.']] },
      true,
      { transcriberMs: 100, modelMs: 1000, voiceMs: 100 },
    )
    await live(vowel(600))
    await live(silence(600))
    for (const _cough of [1, 2]) {
      await live(vowel(100))
      await live(silence(1700))
    }
    await live(silence(6000))
    await live(vowel(300))
    await live(silence(6000))
    expect(transcripts()).toEqual(['user: What is the time?', 'assistant: It is noon.'])
    expect(engines.utterances).toHaveLength(4)
  })
})
