import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import type {
  Heard,
  Transcriber,
  TranscriberOptions,
  TranscriptionEvents,
  TranscriptionStream,
} from '../engines/engine.js'
import { Budget } from '../work/budget.js'
import { turnWords } from './turn-words.js'

/** How many streams are opened: on average per second, and at once. People begin fewer turns. Beyond that whole turns are asked for. */
const STREAMS = { perSecond: 1, atOnce: 10 }

/** The stream of one turn, and the questions that are still open. */
interface OpenTurn {
  stream: TranscriptionStream
  words: string
  asked: Set<Promise<unknown>>
  /** When it began, as its first question says. */
  startedAt?: number | undefined
}

/**
 * The transcriber of a call, which also gets the turn's audio as it comes, where it can listen to it. Questions are answered out of the
 * stream. Where that fails, the whole turn is transcribed, so that no word is lost.
 */
export class StreamedTranscriber implements Transcriber {
  readonly name: string
  readonly punctuates: boolean
  readonly #transcriber: Transcriber
  readonly #events: TranscriptionEvents
  readonly #streams: Budget
  #turn: OpenTurn | undefined
  #isRefused = false

  constructor(transcriber: Transcriber, clock: Clock, events: TranscriptionEvents) {
    this.name = transcriber.name
    this.punctuates = transcriber.punctuates !== false
    this.#transcriber = transcriber
    this.#events = events
    this.#streams = new Budget(clock, STREAMS)
  }

  /** The words of the turn as they are known now; empty where none are. */
  get words(): string {
    return this.#turn?.words ?? ''
  }

  /** Audio of the turn. The first one opens the stream. */
  write(samples: Int16Array): void {
    if (!this.#turn && !this.#isRefused) this.#begin()
    this.#turn?.stream.write(samples)
  }

  /** The turn is over. Its stream ends when all questions about it are answered. */
  turnEnded(): void {
    const turn = this.#turn
    this.#turn = undefined
    this.#isRefused = false
    if (turn) void Promise.allSettled(turn.asked).then(() => turn.stream.close())
  }

  close(): void {
    this.#turn?.stream.close()
    this.#turn = undefined
  }

  async transcribe(speech: Int16Array, options: TranscriberOptions): Promise<Heard> {
    const turn = this.#turn
    if (turn) turn.startedAt ??= options.startedAt
    if (!turn || turn.startedAt !== options.startedAt) return this.#transcriber.transcribe(speech, options)
    const asked = turn.stream.settle(options)
    turn.asked.add(asked)
    try {
      return { text: await asked, durationMs: Math.round((speech.length / SAMPLE_RATE) * 1000) }
    } catch {
      options.signal.throwIfAborted()
      this.#leave(turn)
      return await this.#transcriber.transcribe(speech, options)
    } finally {
      turn.asked.delete(asked)
    }
  }

  #begin(): void {
    const isCurrent = () => turn && this.#turn === turn
    let turn: OpenTurn | undefined
    const stream = this.#streams.spend()
      ? this.#transcriber.open?.({
          onPartial: (words) => {
            if (!turn || !isCurrent()) return
            turn.words = turnWords(words)
            this.#events.onPartial(turn.words)
          },
          onPause: () => {
            if (isCurrent()) this.#events.onPause()
          },
          onEndOfTurn: () => {
            if (isCurrent()) this.#events.onEndOfTurn()
          },
        })
      : undefined
    this.#isRefused = !stream
    if (stream) turn = { stream, words: '', asked: new Set() }
    this.#turn = turn
  }

  /** A stream that failed is not asked again in its turn. */
  #leave(turn: OpenTurn): void {
    turn.stream.close()
    if (this.#turn !== turn) return
    this.#turn = undefined
    this.#isRefused = true
  }
}
