import { samplesOf } from '@heyline/room-protocol'
import { EngineError } from '../engine.js'
import { parsed } from '../openai/exchange.js'
import { EngineSocket, SILENCE_MS } from './engine-socket.js'
import type { SpeechKind } from './speech-wire.js'

/** Most samples of one sentence: two minutes. */
const MOST_SAMPLES = 2 * 60 * 16_000

/** A socket that speaks one text at a time, and may be used again for the next one. */
export class SpeechSocket {
  readonly #kind: SpeechKind
  readonly #socket: EngineSocket
  #queue: Int16Array[] = []
  #isSpeaking = false
  #failure: EngineError | undefined
  #odd: number | undefined
  /** Samples of this sentence that came, whether or not they were taken yet. */
  #samples = 0
  #wake = () => {}

  constructor(kind: SpeechKind) {
    this.#kind = kind
    const { engine, url, headers, silenceMs } = kind
    this.#socket = new EngineSocket({
      ...{ engine, url, headers, silenceMs },
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
      : this.#kind.read(parsed(data.toString()))
    for (const one of said)
      if (one.type === 'audio') this.#hear(one.bytes)
      else if (one.type === 'failed') this.#socket.fail(one.message)
      else {
        this.#isSpeaking = false
        this.#odd = undefined
      }
    this.#wake()
  }

  /** A piece may end between the two bytes of a sample. */
  #hear(piece: Uint8Array): void {
    const bytes = this.#odd === undefined ? piece : Uint8Array.from([this.#odd, ...piece])
    this.#odd = bytes.length % 2 === 1 ? bytes.at(-1) : undefined
    if (bytes.length < 2) return
    const samples = samplesOf(bytes)
    this.#samples += samples.length
    if (this.#samples <= MOST_SAMPLES) this.#queue.push(samples)
    else this.#socket.fail('the speech is longer than two minutes')
  }
}
