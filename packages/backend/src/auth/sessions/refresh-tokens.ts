import { createHmac, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '@heyline/kit/secret'

/** Which refresh token of which session. */
export interface RefreshToken {
  sessionId: string
  counter: number
}

const ID_BYTES = 16
const NAMED_BYTES = ID_BYTES + 4
const SIGNATURE_BYTES = 24
const LENGTH = NAMED_BYTES + SIGNATURE_BYTES

/**
 * A refresh token is the number of one use of a session, signed: base64url of session id, number and HMAC-SHA256 (192 bits of it). None
 * is stored, so neither a copy of the database nor a row holds one, and a session has one row however often it is refreshed.
 */
export class RefreshTokens {
  readonly #key: Uint8Array

  /** @param key The installation's 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = derivedKey(key, 'refresh tokens')
  }

  write({ sessionId, counter }: RefreshToken): string {
    const named = Buffer.alloc(NAMED_BYTES)
    named.write(sessionId.replaceAll('-', ''), 'hex')
    named.writeUInt32BE(counter, ID_BYTES)
    return Buffer.concat([named, this.#sign(named)]).toString('base64url')
  }

  /** Undefined for what we have not written. */
  read(token: string): RefreshToken | undefined {
    const bytes = Buffer.from(token, 'base64url')
    // Base64 that says the same in another way is no token of ours.
    if (bytes.length !== LENGTH || bytes.toString('base64url') !== token) return undefined
    const named = bytes.subarray(0, NAMED_BYTES)
    if (!timingSafeEqual(this.#sign(named), bytes.subarray(NAMED_BYTES))) return undefined
    const sessionId = named.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return { sessionId, counter: named.readUInt32BE(ID_BYTES) }
  }

  #sign(named: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(named).digest().subarray(0, SIGNATURE_BYTES)
  }
}
