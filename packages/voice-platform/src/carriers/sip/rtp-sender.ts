import { randomBytes } from 'node:crypto'
import { printRtp } from './rtp-packet.js'
import { PCMU } from './sdp.js'

/** Our frames as packets of one stream of RTP: PCMU. */
export class RtpSender {
  readonly #send: (packet: Buffer) => void
  readonly #source: number
  readonly #start: number
  #sequence: number
  #next: number | undefined

  constructor(send: (packet: Buffer) => void) {
    this.#send = send
    const random = randomBytes(10)
    this.#source = random.readUInt32BE(0)
    this.#start = random.readUInt32BE(4)
    this.#sequence = random.readUInt16BE(8)
  }

  /** A frame of mu-law. `at` counts samples since the stream began. */
  frame(payload: Uint8Array, at: number): void {
    this.#send(
      printRtp({
        type: PCMU,
        marker: at !== this.#next,
        sequence: this.#sequence,
        timestamp: this.#start + at,
        source: this.#source,
        payload,
      }),
    )
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#next = at + payload.length
  }
}
