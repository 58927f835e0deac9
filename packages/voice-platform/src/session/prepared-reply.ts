import type { ModelMessage, Voice } from '../engines/engine.js'
import { untilAborted } from '../work/abortable.js'
import { ReadAhead } from './read-ahead.js'
import type { ReplyTimes } from './reply-times.js'
import { chunkSentences } from './sentence-chunker.js'

export interface PreparedReplyOptions {
  /** What it replies to. */
  messages: readonly ModelMessage[]
  /** The model's pieces of text. */
  open(signal: AbortSignal): AsyncIterable<string>
  voice: Voice
  /** Measures the two. */
  times: ReplyTimes
}

/**
 * A reply that is made while nobody knows yet whether it will be wanted: the model's text, and the speech of its first sentence.
 * It tells nobody of itself until it is taken.
 */
export class PreparedReply {
  readonly sentences: AsyncIterable<string>
  readonly times: ReplyTimes
  readonly #messages: readonly ModelMessage[]
  readonly #voice: Voice
  readonly #controller = new AbortController()
  readonly #pieces: string[] = []
  #onPiece: ((piece: string) => void) | undefined
  #first: { text: string; speech: ReadAhead<Int16Array> | undefined } | undefined

  constructor({ messages, open, voice, times }: PreparedReplyOptions) {
    this.#messages = messages
    this.#voice = times.voice(voice)
    this.times = times
    const pieces = this.#noted(times.model(open(this.#controller.signal)))
    this.sentences = new ReadAhead(this.#voiced(chunkSentences(pieces)))
  }

  /** It replies to exactly these lines. */
  repliesTo(messages: readonly ModelMessage[]): boolean {
    return (
      messages.length === this.#messages.length &&
      messages.every(({ role, content }, index) => {
        const other = this.#messages[index]
        return role === other?.role && content === other.content
      })
    )
  }

  /** It is wanted: `onPiece` hears the model's pieces, those that are there and those to come. It ends with this signal. */
  take(signal: AbortSignal, onPiece: (piece: string) => void): void {
    if (signal.aborted) this.discard()
    else signal.addEventListener('abort', () => this.discard(), { once: true })
    for (const piece of this.#pieces.splice(0)) onPiece(piece)
    this.#onPiece = onPiece
  }

  /** The speech that was made ahead for this text: once, and only for its first sentence. */
  speech(text: string): AsyncIterable<Int16Array> | undefined {
    if (this.#first?.text !== text) return undefined
    const { speech } = this.#first
    this.#first.speech = undefined
    return speech
  }

  /** Stops all work on it. Idempotent; does nothing to one that is done. */
  discard(): void {
    this.#controller.abort(new DOMException('the reply is not wanted', 'AbortError'))
  }

  async *#noted(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      if (this.#onPiece) this.#onPiece(piece)
      else this.#pieces.push(piece)
      yield piece
    }
  }

  async *#voiced(sentences: AsyncIterable<string>): AsyncGenerator<string> {
    const { signal } = this.#controller
    for await (const text of sentences) {
      this.#first ??= {
        text,
        speech: new ReadAhead(untilAborted(this.#voice.speak(text, { signal }), signal)),
      }
      yield text
    }
  }
}
