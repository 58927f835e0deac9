import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derivedKey } from '../secret/secret.js'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What was sealed does not open: it is another row's, it was changed, or this installation has another key than the one that sealed it. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

/**
 * Keeps secrets in the database that only this installation can read: AES-256-GCM, a random nonce for each text. `of` names the row, and is
 * authenticated with it: a sealed text that was copied to another row does not open there.
 */
export class Seal {
  readonly #key: Uint8Array

  /** @param key 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = derivedKey(key, 'seal')
  }

  /** `v1.<nonce>.<cipher and tag>`, base64url. */
  seal(text: string, of: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(of))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return [VERSION, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
  }

  /** @throws SealError */
  open(sealed: string, of: string): string {
    const [version, nonce = '', rest = ''] = sealed.split('.')
    const bytes = Buffer.from(rest, 'base64url')
    try {
      if (version !== VERSION)
        throw new Error(`It is sealed in a way that this build does not know: ${version}`)
      const tag = bytes.subarray(-TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(of))
        .setAuthTag(tag)
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch (cause) {
      throw new SealError(
        'A secret in the database was sealed with another key: start with the secret key that this installation had then (SUPABASE_SECRET_KEY, HEYLINE_SECRET, or keys.json of the data directory)',
        { cause },
      )
    }
  }
}
