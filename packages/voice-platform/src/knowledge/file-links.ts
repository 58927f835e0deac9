import { createHmac } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { derivedKey, isSameSecret } from '@heyline/kit/secret'
import type { FileLinks } from './file-row.js'

/** How long an address of a file can be used, in seconds. */
const VALID_SECONDS = 3_600

export type FilePart = 'content' | 'text'

/** Signs the addresses of files, so that a browser opens one without the private key, for a while. */
export class SignedFileLinks {
  readonly #key: Uint8Array
  readonly #apiUrl: string
  readonly #clock: Clock

  constructor(privateKey: string, apiUrl: string, clock: Clock) {
    this.#key = derivedKey(privateKey, 'addresses of files')
    this.#apiUrl = apiUrl
    this.#clock = clock
  }

  of(id: string): FileLinks {
    return { url: this.#link(id, 'content'), parsedTextUrl: this.#link(id, 'text') }
  }

  /** Whether this is an address of ours that is not too old. */
  isSigned(id: string, part: FilePart, query: Record<string, string>): boolean {
    const { expires = '', signature = '' } = query
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < this.#clock.now()) return false
    return isSameSecret(signature, this.#signature(id, part, expires))
  }

  #link(id: string, part: FilePart): string {
    const expires = String(Math.ceil(this.#clock.now() / 1000) + VALID_SECONDS)
    return `${this.#apiUrl}/file/${id}/${part}?expires=${expires}&signature=${this.#signature(id, part, expires)}`
  }

  #signature(id: string, part: FilePart, expires: string): string {
    return createHmac('sha256', this.#key).update(`${id}/${part}/${expires}`).digest('base64url')
  }
}
