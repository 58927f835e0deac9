import type { ModelMessage, ToolCall, Voice } from '../engines/engine.js'
import { untilAborted } from '../work/abortable.js'
import { ReadAhead } from './read-ahead.js'
import type { ReplyTimes } from './reply-times.js'
import { chunkSentences } from './sentence-chunker.js'

export interface PreparedReplyOptions {
  /** The lines that it replies to. */
  messages: readonly ModelMessage[]
  /** The tools that the reply uses; complete when it has ended. */
  calls: readonly ToolCall[]
  /** The model's pieces of text. */
  open(signal: AbortSignal): AsyncIterable<string>
  voice: Voice
  /** Measures the two. */
  times: ReplyTimes
}

/**
 * A reply that is begun before anybody knows whether it is wanted: the model's text, and the speech of its first sentence.
 * Nobody hears of it until it is taken.
 */
export class PreparedReply {
  readonly sentences: AsyncIterable<string>
  readonly calls: readonly ToolCall[]
  readonly times: ReplyTimes
  readonly #messages: readonly ModelMessage[]
  readonly #voice: Voice
  readonly #controller = new AbortController()
  readonly #pieces: string[] = []
  #onPiece: ((piece: string) => void) | undefined
  #first: { text: string; speech: ReadAhead<Int16Array> | undefined } | undefined

  constructor({ messages, calls, open, voice, times }: PreparedReplyOptions) {
    this.#messages = messages
    this.calls = calls
    this.#voice = times.voice(voice)
    this.times = times
    const pieces = this.#noted(times.model(open(this.#controller.signal)))
    this.sentences = new ReadAhead(this.#voiced(chunkSentences(pieces)))
  }

  /** Whether it replies to exactly these lines. */
  repliesTo(messages: readonly ModelMessage[]): boolean {
    return (
      messages.length === this.#messages.length &&
      messages.every(({ role, content }, index) => {
        const other = this.#messages[index]
        return role === other?.role && content === other.content
      })
    )
  }

  /** The reply is wanted. `onPiece` gets the model's pieces so far and all that follow. The signal ends it. */
  take(signal: AbortSignal, onPiece: (piece: string) => void): void {
    if (signal.aborted) this.discard()
    else signal.addEventListener('abort', () => this.discard(), { once: true })
    for (const piece of this.#pieces.splice(0)) onPiece(piece)
    this.#onPiece = onPiece
  }

  /** The speech that was made ahead: for the first sentence only, and given only once. */
  speech(text: string): AsyncIterable<Int16Array> | undefined {
    if (this.#first?.text !== text) return undefined
    const { speech } = this.#first
    this.#first.speech = undefined
    return speech
  }

  /** Stops all work on it. Idempotent; a finished reply stays as it is. */
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
