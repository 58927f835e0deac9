import type { WallClock } from '@heyline/kit/wall-clock'
import { MAX_WORDS_CHARACTERS, type WordsWish } from '@heyline/room-protocol'
import { isMobile } from '../../browser/mobile.js'
import { newRecognition, type Recognition, type RecognitionResults } from './speech-recognition.js'

/** Least time between two tellings of a phrase that still grows: the platform takes twenty messages a second, of all kinds. */
const TELL_INTERVAL_MS = 250
/** The wait before a recognition that ended is started again; twice as long after each that failed. */
const RESTART_MS = 250
/** A recognition that ends sooner than this has failed, too. */
const LEAST_MS = 1000
/** Recognitions that may fail one after the other. A browser whose service cannot be reached fails each of them. */
const MOST_FAILURES = 3

/** Tells what was made out of a phrase so far; `isFinal` ends it. Without text: it listens, or is over. */
export type TellWords = (text: string, isFinal: boolean) => void

/**
 * Recognises the speech of one call by the browser's own means: words for a platform that cannot make out any. It hears the
 * microphone's track, echo cancelled, where the browser lets it choose, and the default microphone elsewhere; nothing while
 * muted. Browsers end a recognition when they like: it is started again, until it has failed three times in a row. Does nothing
 * where there is no recognition, and on phones, where it would take the microphone from the call.
 */
export class WordRecogniser {
  readonly #track: MediaStreamTrack
  readonly #language: string
  readonly #clock: WallClock
  readonly #tell: TellWords
  #recognition: Recognition | undefined
  #isOn = false
  #isOver: boolean
  #failures = 0
  #hasFailed = false
  #startedAt = 0
  #toldAt = Number.NEGATIVE_INFINITY
  #cancelRestart = () => {}
  #cancelTelling = () => {}

  constructor(track: MediaStreamTrack, { language }: WordsWish, clock: WallClock, tell: TellWords) {
    this.#track = track
    this.#language = language || document.documentElement.lang || navigator.language
    this.#clock = clock
    this.#tell = tell
    this.#isOver = isMobile()
  }

  /** It hears while the microphone is on, and only then. */
  setMicrophone(isOn: boolean): void {
    if (this.#isOver || isOn === this.#isOn) return
    this.#isOn = isOn
    if (isOn) {
      this.#start()
    } else {
      this.#stop()
      this.#tell('', true)
    }
  }

  /** Nothing is told any more. Idempotent. */
  close(): void {
    this.#isOver = true
    this.#stop()
  }

  #start(): void {
    const recognition = newRecognition()
    this.#recognition = recognition
    if (!recognition) return
    this.#hasFailed = false
    this.#startedAt = this.#clock.now()
    recognition.continuous = true
    recognition.interimResults = true
    recognition.lang = this.#language
    recognition.onstart = () => this.#tell('', false)
    recognition.onresult = ({ resultIndex, results }) => this.#heard(results, resultIndex)
    recognition.onerror = ({ error }) => {
      // Somebody who says nothing is no failure.
      this.#hasFailed ||= error !== 'no-speech'
      if (FINAL_ERRORS.has(error)) this.#failures = MOST_FAILURES
    }
    recognition.onend = () => this.#ended()
    try {
      recognition.start(this.#track)
    } catch {
      // The track has ended. The call will end soon, too.
      this.#hasFailed = true
      this.#ended()
    }
  }

  /** What it was about to tell is dropped. */
  #stop(): void {
    this.#cancelRestart()
    this.#cancelTelling()
    const recognition = this.#recognition
    this.#recognition = undefined
    if (!recognition) return
    recognition.onstart = null
    recognition.onresult = null
    recognition.onerror = null
    recognition.onend = null
    recognition.abort()
  }

  #ended(): void {
    this.#recognition = undefined
    const isShort = this.#clock.now() - this.#startedAt < LEAST_MS
    this.#failures = this.#hasFailed || isShort ? this.#failures + 1 : 0
    if (this.#failures < MOST_FAILURES) {
      const wait = RESTART_MS * 2 ** this.#failures
      this.#cancelRestart = this.#clock.after(wait, () => this.#start())
    } else {
      this.close()
      this.#tell('', true)
    }
  }

  #heard(results: RecognitionResults, first: number): void {
    this.#failures = 0
    let growing = ''
    for (const { isFinal, 0: best } of Array.from(results).slice(first)) {
      if (isFinal) this.#tellNow(best.transcript, true)
      else growing += best.transcript
    }
    if (growing.trim() !== '') this.#tellSoon(growing)
  }

  /** Now, or when the next may be told; only the latest is. */
  #tellSoon(growing: string): void {
    this.#cancelTelling()
    const wait = this.#toldAt + TELL_INTERVAL_MS - this.#clock.now()
    if (wait > 0) this.#cancelTelling = this.#clock.after(wait, () => this.#tellNow(growing, false))
    else this.#tellNow(growing, false)
  }

  #tellNow(text: string, isFinal: boolean): void {
    this.#cancelTelling()
    const words = text.trim().slice(0, MAX_WORDS_CHARACTERS)
    if (words === '') return
    this.#toldAt = this.#clock.now()
    this.#tell(words, isFinal)
  }
}

/** Errors that trying again does not mend. */
const FINAL_ERRORS = new Set(['not-allowed', 'service-not-allowed', 'language-not-supported'])
