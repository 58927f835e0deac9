import type { SipPhone } from '../../packages/voice-platform/src/testing/sip-phone.js'
import type { FarCall } from './far-end.js'

const FRAME_MS = 20
/** Samples of a frame. */
const FRAME = 160
/** What a phone holds before it begins to play, in milliseconds: it has to make up for the network's unevenness. */
const HELD_MS = 60

/** A call at a phone of SIP. */
export class SipFarCall implements FarCall {
  onFrame: (speech: Uint8Array) => void = () => {}
  readonly ended: Promise<void>
  queuedMs = 0
  readonly #phone: SipPhone
  #isPlaying = false

  constructor(phone: SipPhone) {
    this.#phone = phone
    this.ended = new Promise((resolve) => {
      phone.onRequest = ({ method }) => {
        if (method === 'BYE' || method === 'CANCEL') resolve()
      }
    })
    phone.onPacket = ({ payload }) => {
      this.queuedMs += FRAME_MS
      if (this.queuedMs >= HELD_MS) this.#isPlaying = true
      this.onFrame(payload)
    }
  }

  async answer(): Promise<'streaming'> {
    this.#phone.pickUp()
    return 'streaming'
  }

  pass(milliseconds: number, samples: Int16Array): void {
    if (this.#isPlaying) this.queuedMs = Math.max(0, this.queuedMs - milliseconds)
    const frame = new Int16Array(FRAME)
    frame.set(samples)
    this.#phone.speak(frame)
  }

  hangUp(): void {
    this.#phone.send('BYE')
  }
}
