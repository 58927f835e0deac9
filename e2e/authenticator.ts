import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An authenticator app with one account (RFC 6238): six digits, 30 seconds, SHA-1. */
export class Authenticator {
  readonly #key: Buffer
  #last = 0

  /** `secret`: base32; spaces don't count. */
  constructor(secret: string) {
    const bits = [...secret.replaceAll(' ', '')]
      .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
      .join('')
    this.#key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /** A code that was not used yet. The server takes each step once, and one step ahead: only the third in a row has to wait. */
  async code(): Promise<string> {
    const step = Math.max(Math.floor(Date.now() / STEP_MS), this.#last + 1)
    await setTimeout(Math.max(0, (step - 1) * STEP_MS - Date.now()))
    this.#last = step
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(step))
    const digest = createHmac('sha1', this.#key).update(counter).digest()
    const offset = (digest.at(-1) ?? 0) & 15
    return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }
}
