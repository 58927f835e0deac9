import { createHmac } from 'node:crypto'
import { derivedKey, isSameSecret } from '@heyline/kit/secret'
import { newNonce } from '../running-server/server-proof.js'

/** The header in which the key's holder shows that it has it: `nonce.proof`. */
export const MIRROR_HEADER = 'x-heyline-mirror'
export const MIRROR_PATH = '/-/mirror'

/** Longest header that is looked at, in characters. */
const LONGEST = 200

/**
 * How who asks and the installation that answers show each other that they have the same secret key, without sending it: the address may be a
 * stranger's. All servers of an installation have that key.
 */
export class MirrorProof {
  readonly #key: Uint8Array

  constructor(secretKey: string) {
    this.#key = derivedKey(secretKey, 'heyline mirror')
  }

  /** A new question: its header, and what only this installation answers. */
  question(): { header: string; answer: string } {
    const nonce = newNonce()
    return { header: `${nonce}.${this.#sign('ask', nonce)}`, answer: this.#sign('answer', nonce) }
  }

  /** What to answer to a header; undefined where it is not of somebody who has the key. */
  answerTo(header: string | undefined): string | undefined {
    if (header === undefined || header.length > LONGEST) return undefined
    const [nonce = '', proof = ''] = header.split('.', 2)
    return isSameSecret(proof, this.#sign('ask', nonce)) ? this.#sign('answer', nonce) : undefined
  }

  #sign(role: 'ask' | 'answer', nonce: string): string {
    return createHmac('sha256', this.#key).update(`${role} ${nonce}`).digest('base64url')
  }
}
