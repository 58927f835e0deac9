import { ManualClock } from '@heyline/kit/manual-clock'
import { MAX_WORDS_CHARACTERS, type WordsWish } from '@heyline/room-protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ScriptedRecognition } from './scripted-recognition-harness.js'
import { WordRecogniser } from './word-recogniser.js'

const made = ScriptedRecognition.made
const track = { id: 'microphone' } as MediaStreamTrack

beforeEach(() => {
  made.length = 0
  ScriptedRecognition.refusal = undefined
  vi.stubGlobal('webkitSpeechRecognition', ScriptedRecognition)
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('navigator', { language: 'fr-FR', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })
})
afterEach(() => vi.unstubAllGlobals())

function recognise(wish: WordsWish = {}) {
  const clock = new ManualClock()
  /** What was told: a phrase that ended with a full stop behind it. */
  const told: string[] = []
  const words = new WordRecogniser(track, wish, clock, (text, isFinal) =>
    told.push(isFinal ? `${text}.` : text),
  )
  words.setMicrophone(true)
  return { clock, told, words }
}

describe('the recogniser', () => {
  it('hears the call’s own track, on and on, and tells that it listens', () => {
    const { told } = recognise()
    expect(made).toHaveLength(1)
    expect(made[0]).toMatchObject({ track, continuous: true, interimResults: true, lang: 'en' })
    expect(told).toEqual([])
    ScriptedRecognition.latest.listen()
    expect(told).toEqual([''])
  })

  it('takes the standard’s name before Chromium’s', () => {
    vi.stubGlobal('webkitSpeechRecognition', undefined)
    vi.stubGlobal('SpeechRecognition', ScriptedRecognition)
    recognise()
    expect(made).toHaveLength(1)
  })

  it('does without where the browser refuses to make one, whenever it is asked', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.stubGlobal('webkitSpeechRecognition', function refuse() {
      throw new Error('not here')
    })
    const { told, words } = recognise()
    words.setMicrophone(false)
    words.setMicrophone(true)
    expect(told).toEqual(['.'])
    expect(warned).toHaveBeenCalledTimes(2)
    warned.mockRestore()
  })

  it('hears the language of the assistant, else the page’s, else the browser’s', () => {
    recognise({ language: 'de-DE' })
    expect(ScriptedRecognition.latest.lang).toBe('de-DE')
    vi.stubGlobal('document', { documentElement: { lang: '' } })
    recognise()
    expect(ScriptedRecognition.latest.lang).toBe('fr-FR')
  })

  it('tells phrases as they grow and end', () => {
    const { clock, told } = recognise()
    const recognition = ScriptedRecognition.latest
    recognition.hear('when ')
    clock.advance(250)
    recognition.hear('when are ', 'you open')
    recognition.conclude(' When are you open? ')
    clock.advance(1_000)
    recognition.hear('thanks')
    expect(told).toEqual(['when', 'when are you open', 'When are you open?.', 'thanks'])
  })

  it('tells a phrase that grows fast four times a second, and the latest of it', () => {
    const { clock, told } = recognise()
    for (let n = 0; n < 100; n += 1) {
      ScriptedRecognition.latest.hear(`word ${n}`)
      clock.advance(10)
    }
    expect(told).toEqual(['word 0', 'word 24', 'word 49', 'word 74', 'word 99'])
    clock.advance(1_000)
    expect(told).toHaveLength(5)
  })

  it('tells nothing of a phrase that grew after its end', () => {
    const { clock, told } = recognise()
    ScriptedRecognition.latest.hear('when')
    ScriptedRecognition.latest.hear('when are')
    ScriptedRecognition.latest.conclude('When are you open?')
    clock.advance(1_000)
    expect(told).toEqual(['when', 'When are you open?.'])
  })

  it('tells no more than the platform takes, and no empty phrase', () => {
    const { told } = recognise()
    ScriptedRecognition.latest.conclude('w'.repeat(MAX_WORDS_CHARACTERS + 5))
    ScriptedRecognition.latest.conclude('  ')
    expect(told).toEqual([`${'w'.repeat(MAX_WORDS_CHARACTERS)}.`])
  })

  it('starts again when the browser ends it', () => {
    const { clock, told } = recognise()
    for (let n = 0; n < 5; n += 1) {
      ScriptedRecognition.latest.listen()
      clock.advance(8_000)
      ScriptedRecognition.latest.end('no-speech')
      clock.advance(250)
    }
    expect(made).toHaveLength(6)
    expect(told).toEqual(['', '', '', '', ''])
  })

  it.each([
    ['cannot reach its service', 'network'],
    ['ends at once', undefined],
  ])('gives up, and says so, when it %s three times', (_, error) => {
    const { clock, told } = recognise()
    ScriptedRecognition.latest.listen()
    ScriptedRecognition.latest.end(error)
    clock.advance(500)
    ScriptedRecognition.latest.end(error)
    clock.advance(999)
    expect(made).toHaveLength(2)
    clock.advance(1)
    expect(made).toHaveLength(3)
    ScriptedRecognition.latest.end(error)
    clock.advance(60_000)
    expect(made).toHaveLength(3)
    expect(told).toEqual(['', '.'])
  })

  it('forgets failures once it has heard something', () => {
    const { clock } = recognise()
    for (let n = 0; n < 6; n += 1) {
      ScriptedRecognition.latest.conclude('Hello')
      ScriptedRecognition.latest.end('network')
      clock.advance(1_000)
    }
    expect(made).toHaveLength(7)
  })

  it('gives up at once when it may not', () => {
    const { clock, told } = recognise()
    ScriptedRecognition.latest.end('not-allowed')
    clock.advance(60_000)
    expect(made).toHaveLength(1)
    expect(told).toEqual(['.'])
  })

  it('gives up on a track that is over', () => {
    ScriptedRecognition.refusal = new DOMException('The track is over.', 'InvalidStateError')
    const { clock, told } = recognise()
    clock.advance(60_000)
    expect(made).toHaveLength(3)
    expect(told).toEqual(['.'])
  })

  it('hears nothing while muted', () => {
    const { clock, told, words } = recognise()
    const recognition = ScriptedRecognition.latest
    recognition.listen()
    recognition.hear('my')
    recognition.hear('my password')
    words.setMicrophone(false)
    expect(recognition.isAborted).toBe(true)
    recognition.conclude('My password is')
    recognition.end('aborted')
    clock.advance(60_000)
    expect(made).toHaveLength(1)
    expect(told).toEqual(['', 'my', '.'])
    words.setMicrophone(true)
    words.setMicrophone(true)
    expect(made).toHaveLength(2)
  })

  it('does not begin while the microphone is off', () => {
    const words = new WordRecogniser(track, {}, new ManualClock(), () => {})
    words.setMicrophone(false)
    expect(made).toEqual([])
  })

  it('ends with the call', () => {
    const { clock, told, words } = recognise()
    const recognition = ScriptedRecognition.latest
    recognition.hear('good')
    recognition.hear('goodbye')
    words.close()
    words.close()
    recognition.end()
    words.setMicrophone(false)
    words.setMicrophone(true)
    clock.advance(60_000)
    expect(recognition.isAborted).toBe(true)
    expect(made).toHaveLength(1)
    expect(told).toEqual(['good'])
  })

  it('does nothing where the browser has none', () => {
    vi.stubGlobal('webkitSpeechRecognition', undefined)
    const { clock, told } = recognise()
    clock.advance(60_000)
    expect([made, told]).toEqual([[], []])
  })

  it('leaves the microphone of a phone to the call', () => {
    vi.stubGlobal('navigator', { language: 'en', userAgent: 'Mozilla/5.0 (Linux; Android 15) Mobile' })
    recognise()
    expect(made).toEqual([])
  })
})
