import { randomBytes } from 'node:crypto'
import { printRtp } from './rtp-packet.js'
import { PCMU } from './sdp.js'
import { PressedKey } from './telephone-event.js'

/** Our frames as packets of one stream of RTP: PCMU, and keys in their place. */
export class RtpSender {
  readonly #send: (packet: Buffer) => void
  readonly #source: number
  readonly #start: number
  #sequence: number
  #next: number | undefined
  #pressing: { key: string; type: number; pressed?: PressedKey } | undefined

  constructor(send: (packet: Buffer) => void) {
    this.#send = send
    const random = randomBytes(10)
    this.#source = random.readUInt32BE(0)
    this.#start = random.readUInt32BE(4)
    this.#sequence = random.readUInt16BE(8)
  }

  /** A frame of mu-law. `at` counts samples since the stream began. A key that is pressed takes its place. */
  frame(payload: Uint8Array, at: number): void {
    const pressing = this.#pressing
    if (pressing) {
      const isFirst = pressing.pressed === undefined
      pressing.pressed ??= new PressedKey(pressing.key, at)
      const { pressed, type } = pressing
      this.#packet({ type, marker: isFirst, at: pressed.start, payload: pressed.next(at + payload.length) })
      if (pressed.isOver) this.#pressing = undefined
      return
    }
    this.#packet({ type: PCMU, marker: at !== this.#next, at, payload })
    this.#next = at + payload.length
  }

  /** Presses a key from the next frame on, with this payload type. The one before has to be up. */
  press(key: string, type: number): void {
    this.#pressing = { key, type }
  }

  #packet({ at, ...packet }: { type: number; marker: boolean; at: number; payload: Uint8Array }): void {
    this.#send(
      printRtp({
        ...packet,
        sequence: this.#sequence,
        timestamp: this.#start + at,
        source: this.#source,
      }),
    )
    this.#sequence = (this.#sequence + 1) & 0xffff
  }
}
