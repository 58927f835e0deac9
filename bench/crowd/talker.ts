import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Gaps } from './gaps.js'

const FRAME_SAMPLES = 320
const FRAME_MS = 20
const SILENCE = new Int16Array(FRAME_SAMPLES)
/** The longest that a piece of the assistant's speech may take to come and to end. */
const PATIENCE_MS = 45_000

/** A call that was ended by the other side, or in which nothing more was said. */
export class CutError extends Error {
  override readonly name = 'CutError'
}

/**
 * A caller of the plain transport in real time, whose microphone sends a frame every 20 ms. It keeps no audio: the gaps between the
 * frames of one piece of speech are counted as they come.
 */
export class Talker {
  readonly #socket: WebSocket
  readonly #timer: NodeJS.Timeout
  readonly #began = performance.now()
  #sent = 0
  #toSay: Int16Array[] = []
  #stops = 0
  /** When the last frame of the piece of speech came; no number outside of speech, and before its first. */
  #last = Number.NaN
  #isSpoken = false
  #heard: () => void = () => undefined

  private constructor(socket: WebSocket, gaps: Gaps) {
    this.#socket = socket
    this.#timer = setInterval(() => this.#send(), FRAME_MS)
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#count(gaps)
      else this.#read(data)
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearInterval(this.#timer)
      this.#heard()
    })
  }

  static async join(address: string, gaps: Gaps): Promise<Talker> {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    const talker = new Talker(socket, gaps)
    await once(socket, 'open')
    return talker
  }

  /** Says this into the microphone, from now on. */
  say(speech: Int16Array): void {
    for (let at = 0; at < speech.length; at += FRAME_SAMPLES) {
      const frame = new Int16Array(FRAME_SAMPLES)
      frame.set(speech.subarray(at, at + FRAME_SAMPLES))
      this.#toSay.push(frame)
    }
  }

  /** Resolves when the assistant has ended so many pieces of speech since the call began. Throws `CutError`, or the signal's reason. */
  async hear(pieces: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + PATIENCE_MS
    while (this.#stops < pieces) {
      signal.throwIfAborted()
      if (this.#socket.readyState !== WebSocket.OPEN) throw new CutError('The call was ended')
      if (performance.now() > end) throw new CutError('Nothing more was said')
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000)
        this.#heard = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** Closes the connection; resolves when it is closed. */
  async leave(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    this.#socket.close(1000)
    await once(this.#socket, 'close')
  }

  #count(gaps: Gaps): void {
    if (!this.#isSpoken) return
    const now = performance.now()
    if (!Number.isNaN(this.#last)) gaps.add(now - this.#last)
    this.#last = now
  }

  #read(data: Buffer): void {
    const { type, role, status } = JSON.parse(data.toString())
    if (type !== 'speech-update' || role !== 'assistant') return
    this.#isSpoken = status === 'started'
    this.#last = Number.NaN
    if (status !== 'stopped') return
    this.#stops += 1
    this.#heard()
  }

  #send(): void {
    const due = Math.floor((performance.now() - this.#began) / FRAME_MS)
    for (; this.#sent < due; this.#sent += 1)
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(this.#toSay.shift() ?? SILENCE)
  }
}
