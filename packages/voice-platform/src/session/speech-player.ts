import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Voice } from '../engines/engine.js'
import type { Link, MarkOutcome } from '../link/link.js'
import { untilAborted } from '../work/abortable.js'
import { retryStreamOnce } from './retry-once.js'

/** Length of a spoken word where the length of its sentence is not known: 150 words a minute. */
const WORD_MS = 400

/** The outcome of a speech. */
export interface Spoken {
  /** The words that reached the caller. */
  heard: string
  outcome: 'finished' | 'cut' | 'failed'
  /** Why it failed: an error of the voice, or of where the words came from. */
  failure?: unknown
}

export interface SpokenSentence {
  text: string
  /** Milliseconds of its speech that were sent. */
  sentMs: number
  /** All of its speech was sent. */
  isWhole: boolean
}

interface Sentence extends SpokenSentence {
  outcome?: Promise<MarkOutcome>
}

export interface SpeechPlayerEvents {
  /** Asked when the first sound of a speech is ready. The sound goes out once this resolves. Rejects when the signal aborts. */
  beforeSound(signal: AbortSignal): Promise<void>
  /** The first sound of a speech went out. */
  onStarted(): void
  /** The first sound of this sentence went out. The caller hears it after the sentence before it. */
  onSentence(sentence: string): void
  /** All of it was played or dropped. */
  onStopped(): void
}

/** Speech that was made before it was asked for. */
export interface SpeechAhead {
  /** The speech of this text, given only once. Undefined if none was made. */
  speech(text: string): AsyncIterable<Int16Array> | undefined
}

export interface SpeakOptions {
  /** Used instead of the player's own. */
  voice?: Voice
  ahead?: SpeechAhead
}

/** Plays speech over a link, one at a time. It makes each sentence while the one before it plays, and tells what was heard. */
export class SpeechPlayer {
  readonly #link: Link
  readonly #voice: Voice
  readonly #events: SpeechPlayerEvents
  readonly #clock: Clock
  #audible = false
  /** When the listener will have heard what was sent so far, in milliseconds since the epoch. */
  #heardAt = 0

  constructor(link: Link, voice: Voice, events: SpeechPlayerEvents, clock: Clock) {
    this.#link = link
    this.#voice = voice
    this.#events = events
    this.#clock = clock
  }

  /** True from the first sound of a speech to its end. */
  get audible(): boolean {
    return this.#audible
  }

  /** Speaks these chunks of text. An abort silences the link at once. Never rejects. */
  async speak(
    texts: AsyncIterable<string>,
    signal: AbortSignal,
    { voice = this.#voice, ahead }: SpeakOptions = {},
  ): Promise<Spoken> {
    const said: Sentence[] = []
    this.#heardAt = 0
    const silence = this.#silenceOnAbort(signal)
    let failure: unknown
    try {
      for await (const text of untilAborted(texts, signal)) {
        await said.at(-2)?.outcome
        const sentence: Sentence = { text, sentMs: 0, isWhole: false }
        said.push(sentence)
        await this.#say(sentence, signal, voice, ahead)
      }
    } catch (error) {
      failure = error
      const broken = said.at(-1)
      if (broken && !signal.aborted) broken.outcome ??= this.#link.mark()
    }
    const outcomes = await Promise.all(said.map(({ outcome }) => outcome ?? 'cleared'))
    const heard = heardOf(said, outcomes, await silence.playedMs())
    silence.stop()
    if (this.#audible) {
      this.#audible = false
      this.#events.onStopped()
    }
    if (signal.aborted) return { heard, outcome: 'cut' }
    return failure === undefined ? { heard, outcome: 'finished' } : { heard, outcome: 'failed', failure }
  }

  async #say(
    sentence: Sentence,
    signal: AbortSignal,
    voice: Voice,
    ahead: SpeechAhead | undefined,
  ): Promise<void> {
    const { text } = sentence
    const speech = () => {
      const neededInMs = Math.max(0, this.#heardAt - this.#clock.now())
      return untilAborted(ahead?.speech(text) ?? voice.speak(text, { signal, neededInMs }), signal)
    }
    for await (const samples of retryStreamOnce(speech, { engine: voice.name, signal })) {
      if (!this.#audible) await this.#events.beforeSound(signal)
      signal.throwIfAborted()
      this.#link.send(samples)
      const isFirst = sentence.sentMs === 0
      const ms = (samples.length / SAMPLE_RATE) * 1000
      sentence.sentMs += ms
      this.#heardAt = Math.max(this.#heardAt, this.#clock.now()) + ms
      if (!this.#audible) {
        this.#audible = true
        this.#events.onStarted()
      }
      if (isFirst) this.#events.onSentence(text)
    }
    signal.throwIfAborted()
    sentence.isWhole = true
    sentence.outcome = this.#link.mark()
  }

  #silenceOnAbort(signal: AbortSignal) {
    let cleared: Promise<number> | undefined
    const clear = () => {
      if (this.#audible) cleared = this.#link.clear()
    }
    signal.addEventListener('abort', clear, { once: true })
    return {
      /** How many milliseconds of the cut sentence were heard. */
      playedMs: async () => (await cleared) ?? 0,
      stop: () => signal.removeEventListener('abort', clear),
    }
  }
}

/** `playedMs` counts from the last mark that was reached. It may reach into sentences after it. */
function heardOf(said: readonly Sentence[], outcomes: readonly MarkOutcome[], playedMs: number): string {
  const heard: string[] = []
  let leftMs = playedMs
  for (const [index, sentence] of said.entries()) {
    const isPlayed = outcomes[index] === 'played'
    if (isPlayed && sentence.isWhole) {
      heard.push(sentence.text)
      continue
    }
    heard.push(heardPart(sentence, isPlayed ? sentence.sentMs : leftMs))
    if (isPlayed) continue
    leftMs -= sentence.sentMs
    if (leftMs <= 0 || !sentence.isWhole) break
  }
  return heard.filter((words) => words !== '').join(' ')
}

/** The words of a sentence that were heard in its first `heardMs` of speech. It assumes the same time for each word. */
export function heardPart({ text, sentMs, isWhole }: SpokenSentence, heardMs: number): string {
  const words = text.split(/\s+/)
  const lengthMs = isWhole ? sentMs : Math.max(sentMs, words.length * WORD_MS)
  if (lengthMs <= 0 || heardMs <= 0) return ''
  return words.slice(0, Math.floor((heardMs / lengthMs) * words.length)).join(' ')
}
