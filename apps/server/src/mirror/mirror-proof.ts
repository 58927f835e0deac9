import { createHmac } from 'node:crypto'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { derivedKey, isSameSecret } from '@heyline/kit/secret'
import { newNonce } from '../running-server/server-proof.js'

/** The header in which the key's holder shows that it has it: `time~nonce.proof`, the time in seconds since the epoch. */
export const MIRROR_HEADER = 'x-heyline-mirror'
export const MIRROR_PATH = '/-/mirror'

/** Longest header that is looked at, in characters. */
const LONGEST = 200
/** A question is good for so long, in seconds; so much may the clocks of two machines differ. */
const GOOD_SECONDS = 5 * 60

/**
 * How who asks and the installation that answers show each other that they have the same secret key, without sending it: the address may be a
 * stranger's. All servers of an installation have that key.
 */
export class MirrorProof {
  readonly #key: Uint8Array
  readonly #clock: Pick<Clock, 'now'>

  constructor(secretKey: string, clock: Pick<Clock, 'now'> = systemClock) {
    this.#key = derivedKey(secretKey, 'heyline mirror')
    this.#clock = clock
  }

  /** A new question: its header, and what only this installation answers. */
  question(): { header: string; answer: string } {
    // A part of the nonce, so that servers of the version before answer, too.
    const nonce = `${Math.floor(this.#clock.now() / 1000)}~${newNonce()}`
    return { header: `${nonce}.${this.#sign('ask', nonce)}`, answer: this.#sign('answer', nonce) }
  }

  /** What to answer to a header; undefined where it is not of somebody who has the key, or too old. */
  answerTo(header: string | undefined): string | undefined {
    if (header === undefined || header.length > LONGEST) return undefined
    const [nonce = '', proof = ''] = header.split('.', 2)
    if (!this.#isOfNow(nonce)) return undefined
    return isSameSecret(proof, this.#sign('ask', nonce)) ? this.#sign('answer', nonce) : undefined
  }

  #isOfNow(nonce: string): boolean {
    const seconds = Number(/^(\d{1,12})~/.exec(nonce)?.[1] ?? Number.NaN)
    return Math.abs(this.#clock.now() / 1000 - seconds) <= GOOD_SECONDS
  }

  #sign(role: 'ask' | 'answer', nonce: string): string {
    return createHmac('sha256', this.#key).update(`${role} ${nonce}`).digest('base64url')
  }
}
