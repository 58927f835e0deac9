import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { boundedJson } from '../../work/bounded-json.js'
import {
  EngineError,
  type EngineOptions,
  type TranscriptionEvents,
  type TranscriptionStream,
} from '../engine.js'
import { EngineSocket, type SocketBounds } from './engine-socket.js'
import { Segments } from './segments.js'
import type { Said, SocketKind, TranscriptionWire } from './transcription-wire.js'

/** How long the final words may take after they were asked for, in milliseconds. */
const WORDS_MS = 2_500
/** Audio at the end that holds no words: a turn pauses after so much silence. In samples. */
const WORDLESS = 0.16 * SAMPLE_RATE
/** Messages without sense after which a server speaks another protocol. */
const MOST_GARBAGE = 20

/**
 * Servers that send each word by itself send fewer messages. A result with the times of all words of a minute has some 30 kB, and comes a few
 * times a second.
 */
const BOUNDS: SocketBounds = {
  message: 256_000,
  bytes: { perSecond: 200_000, atOnce: 2_000_000 },
  messages: { perSecond: 100, atOnce: 5_000 },
}

interface Waiting {
  /** Samples whose words it waits for. */
  samples: number
  resolve(): void
  reject(error: Error): void
}

/** One turn over the socket of a transcription server. */
export class SocketStream implements TranscriptionStream {
  readonly #engine: string
  readonly #wordsMs: number
  #events: TranscriptionEvents
  readonly #wire: TranscriptionWire
  readonly #socket: EngineSocket
  readonly #segments = new Segments()
  readonly #waiting = new Set<Waiting>()
  #failure: EngineError | undefined
  #written = 0
  /** Samples whose words were asked for, and those whose words are final. */
  #asked = 0
  #known = 0
  #garbage = 0
  #partial = ''

  constructor(
    { engine, url, headers, silenceMs, wire }: SocketKind,
    events: TranscriptionEvents,
    clock?: Clock,
  ) {
    this.#engine = engine
    this.#wordsMs = silenceMs ?? WORDS_MS
    this.#events = events
    this.#wire = wire()
    this.#socket = new EngineSocket({
      ...{ engine, url, headers, silenceMs, bounds: BOUNDS },
      ...(clock && { clock }),
      onMessage: (data, isBinary) => {
        const message = isBinary ? undefined : boundedJson(data.toString())
        if (typeof message !== 'object' || message === null) this.#nonsense()
        else for (const said of this.#wire.read(message)) this.#take(said)
      },
      onFailed: (error) => this.#failed(error),
    })
    for (const message of this.#wire.opening) this.#socket.send(message)
  }

  /** False once the connection has broken. */
  get isUsable(): boolean {
    return this.#failure === undefined && this.#socket.isUsable
  }

  /** Tells this one from now on. */
  listen(events: TranscriptionEvents): void {
    this.#events = events
  }

  /** Tells the server that we are still there, where it has a word for it. */
  stay(): void {
    const { stay } = this.#wire
    if (stay !== undefined && this.isUsable) this.#socket.send(stay)
  }

  write(samples: Int16Array): void {
    this.#written += samples.length
    this.#socket.send(this.#wire.audio(samples))
  }

  async settle({ signal }: EngineOptions): Promise<string> {
    signal.throwIfAborted()
    if (this.#failure) throw this.#failure
    if (this.#written - this.#known > WORDLESS) await this.#flushed(signal)
    return this.#segments.text
  }

  close(): void {
    this.#socket.close(this.#wire.goodbye)
    this.#failed(new EngineError(this.#engine, 'the stream is closed'))
  }

  #flushed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#failed(new EngineError(this.#engine, `no final words came for ${this.#wordsMs} ms`)),
        this.#wordsMs,
      )
      const release = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        this.#waiting.delete(waiting)
      }
      const abort = () => waiting.reject(signal.reason)
      const waiting: Waiting = {
        samples: this.#written,
        resolve: () => {
          release()
          resolve()
        },
        reject: (error) => {
          release()
          reject(error)
        },
      }
      this.#waiting.add(waiting)
      signal.addEventListener('abort', abort, { once: true })
      if (this.#written > this.#asked)
        for (const message of this.#wire.flush(this.#written - this.#asked)) this.#socket.send(message)
      this.#asked = this.#written
    })
  }

  #take(said: Said): void {
    if (said.type === 'words') {
      if (!this.#segments.set(said.key, said.text, said.isFinal)) {
        this.#socket.fail('the server sends more words than anybody says')
        return
      }
      const words = this.#segments.text
      if (words === this.#partial) return
      this.#partial = words
      this.#events.onPartial(words)
    } else if (said.type === 'flushed') this.#learned(this.#asked)
    else if (said.type === 'failed') this.#socket.fail(said.message)
    else if (said.type === 'end-of-turn') this.#events.onEndOfTurn()
    else {
      this.#learned(said.samples)
      if (said.isPause && this.#written - this.#known <= WORDLESS) this.#events.onPause()
    }
  }

  #learned(samples: number): void {
    this.#known = Math.max(this.#known, samples)
    for (const waiting of [...this.#waiting]) if (waiting.samples - this.#known <= WORDLESS) waiting.resolve()
  }

  #nonsense(): void {
    this.#garbage += 1
    if (this.#garbage >= MOST_GARBAGE) this.#socket.fail('the server speaks another protocol; check its URL')
  }

  #failed(error: EngineError): void {
    this.#failure ??= error
    for (const waiting of [...this.#waiting]) waiting.reject(error)
  }
}
