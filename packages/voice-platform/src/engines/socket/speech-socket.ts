import type { Clock } from '@heyline/kit/clock'
import { boundedJson } from '../../work/bounded-json.js'
import { EngineError } from '../engine.js'
import { SamplePieces } from '../sample-pieces.js'
import { EngineSocket, SILENCE_MS, type SocketBounds } from './engine-socket.js'
import type { SpeechKind } from './speech-wire.js'

/** Most samples of one sentence: two minutes. */
const MOST_SAMPLES = 2 * 60 * 16_000
/** A whole sentence may come at once, as base64 with the times of its letters, or in pieces of 20 ms, and a hundred times faster than it is spoken. */
const BOUNDS: SocketBounds = {
  message: 6_000_000,
  bytes: { perSecond: 2_000_000, atOnce: 8_000_000 },
  messages: { perSecond: 1_000, atOnce: 10_000 },
}
/** Values of one message: six for each letter, where a server tells their times. */
const MOST_VALUES = 50_000

/** A socket that speaks one text at a time, and may be used again for the next one. */
export class SpeechSocket {
  readonly #kind: SpeechKind
  readonly #socket: EngineSocket
  #queue: Int16Array[] = []
  #isSpeaking = false
  #failure: EngineError | undefined
  #pieces = new SamplePieces()
  /** Samples of this sentence that came, whether or not they were taken yet. */
  #samples = 0
  #wake = () => {}

  constructor(kind: SpeechKind, clock?: Clock) {
    this.#kind = kind
    const { engine, url, headers, silenceMs } = kind
    this.#socket = new EngineSocket({
      ...{ engine, url, headers, silenceMs, bounds: BOUNDS },
      ...(clock && { clock }),
      onMessage: (data, isBinary) => this.#read(data, isBinary),
      onFailed: (error) => {
        this.#failure = error
        this.#wake()
      },
    })
    for (const message of kind.opening) this.#socket.send(message)
  }

  get isUsable(): boolean {
    return this.#socket.isUsable && !this.#isSpeaking
  }

  /** The speech of a text. Whoever leaves it before its end has to close the socket. */
  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    signal.throwIfAborted()
    const abort = () => this.#wake()
    signal.addEventListener('abort', abort, { once: true })
    this.#isSpeaking = true
    this.#samples = 0
    this.#pieces = new SamplePieces()
    try {
      for (const message of this.#kind.speak(text)) this.#socket.send(message)
      for (;;) {
        signal.throwIfAborted()
        const piece = this.#queue.shift()
        if (piece) yield piece
        else if (this.#failure) throw this.#failure
        else if (!this.#isSpeaking) break
        else await this.#something()
      }
      if (this.#samples === 0) throw new EngineError(this.#kind.engine, 'the server answered with no speech')
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  close(): void {
    this.#socket.close(this.#kind.goodbye)
  }

  /** Waits for audio or the end. Whatever else a server says does not keep it from being silent. */
  async #something(): Promise<void> {
    const { silenceMs = SILENCE_MS } = this.#kind
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(() => this.#socket.fail(`the server was silent for ${silenceMs} ms`), silenceMs)
    }).finally(() => clearTimeout(timer))
    this.#wake = () => {}
  }

  #read(data: Buffer, isBinary: boolean): void {
    if (!this.#isSpeaking) return
    const said = isBinary
      ? [{ type: 'audio' as const, bytes: data }]
      : this.#kind.read(boundedJson(data.toString(), MOST_VALUES))
    for (const one of said)
      if (one.type === 'audio') this.#hear(one.bytes)
      else if (one.type === 'failed') this.#socket.fail(one.message)
      else {
        this.#isSpeaking = false
        this.#wake()
      }
  }

  #hear(piece: Uint8Array): void {
    if (this.#samples + piece.length / 2 > MOST_SAMPLES) {
      this.#socket.fail('the speech is longer than two minutes')
      return
    }
    const samples = this.#pieces.read(piece)
    if (samples.length === 0) return
    this.#samples += samples.length
    this.#queue.push(samples)
    this.#wake()
  }
}
