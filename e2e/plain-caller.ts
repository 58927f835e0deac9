import { WebSocket } from 'ws'
import type { RunningHeyline } from './running-heyline.js'
import { joined } from './spoken.js'

const FRAME_SAMPLES = 320
const FRAME_MS = 20

/** A frame of the assistant's voice, and when it came (`performance.now()`). */
export interface HeardFrame {
  at: number
  samples: Int16Array
}

export interface HeardText {
  at: number
  type: string
  status?: string
  role?: string
}

export interface PlainCallerOptions {
  /** `room.v1`, or the plain transport where it is left out. */
  protocol?: string
  /** What the microphone hears while nothing is said: one frame. */
  background?: Int16Array
}

/** Creates a web call with this assistant; its id and address. */
export async function createWebCall(
  url: string,
  key: string,
  assistant: object,
): Promise<{ id: string; webCallUrl: string }> {
  const answer = await fetch(`${url}/-/platform/call/web`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ assistant }),
  })
  if (!answer.ok) throw new Error(`POST /call/web answered ${answer.status}: ${await answer.text()}`)
  return await answer.json()
}

/** The key that opens all of a server's platform. */
export async function platformKeyOf(heyline: RunningHeyline): Promise<string> {
  return (await heyline.keys()).platformPrivate
}

/** A caller on a bare WebSocket, outside any browser: its microphone sends 20 ms frames in real time, without a pause. */
export class PlainCaller {
  readonly frames: HeardFrame[] = []
  readonly texts: HeardText[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  /** When the last frame of speech went out (`performance.now()`); NaN while there is speech to say, or none was said. */
  saidAt = Number.NaN
  readonly #socket: WebSocket
  readonly #background: Int16Array
  readonly #timer: NodeJS.Timeout
  readonly #began = performance.now()
  #sent = 0
  #toSay: Int16Array[] = []

  private constructor(socket: WebSocket, { background = new Int16Array(FRAME_SAMPLES) }: PlainCallerOptions) {
    this.#socket = socket
    this.#background = background
    socket.on('message', (data: Buffer, isBinary) => this.#hear(data, isBinary))
    this.#timer = setInterval(() => this.#send(), FRAME_MS)
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        clearInterval(this.#timer)
        resolve({ code, reason: reason.toString() })
      })
    })
  }

  static async join(address: string, options: PlainCallerOptions = {}): Promise<PlainCaller> {
    const protocols = options.protocol === undefined ? [] : [options.protocol]
    const socket = new WebSocket(address, protocols, { perMessageDeflate: false })
    const caller = new PlainCaller(socket, options)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    socket.on('error', () => undefined)
    return caller
  }

  /** All that was heard so far. */
  get heard(): Int16Array {
    return joined(this.frames.map(({ samples }) => samples))
  }

  /** Says this into the microphone, from now on, in real time. */
  say(speech: Int16Array): void {
    this.saidAt = Number.NaN
    for (let at = 0; at < speech.length; at += FRAME_SAMPLES) {
      const frame = new Int16Array(FRAME_SAMPLES)
      frame.set(speech.subarray(at, at + FRAME_SAMPLES))
      this.#toSay.push(frame)
    }
  }

  tell(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Closes the connection; resolves when it is closed. */
  async leave(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) this.#socket.close(1000)
    await this.closed
  }

  #hear(data: Buffer, isBinary: boolean): void {
    const at = performance.now()
    if (isBinary) this.frames.push({ at, samples: new Int16Array(Uint8Array.from(data).buffer) })
    else this.texts.push({ at, ...JSON.parse(data.toString()) })
  }

  #send(): void {
    const due = Math.floor((performance.now() - this.#began) / FRAME_MS)
    for (; this.#sent < due; this.#sent += 1) {
      if (this.#socket.readyState !== WebSocket.OPEN) continue
      const frame = this.#toSay.shift()
      this.#socket.send(frame ?? this.#background)
      if (frame && this.#toSay.length === 0) this.saidAt = performance.now()
    }
  }
}
