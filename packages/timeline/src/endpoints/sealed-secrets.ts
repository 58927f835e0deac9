import { Seal, SealError } from '@heyline/kit/seal'

/** A row's secrets as they are stored: sealed with a key that the database does not have. */
export interface SealedSecrets {
  id: string
  secret: string | null
  formerSecret: string | null
  formerUntil: Date | null
}

/** The secrets of endpoints. A sealed one opens in its own row only. */
export class EndpointSecrets {
  readonly #seal: Seal

  /** @param key 32 bytes, the same in all processes of an installation. */
  constructor(key: Uint8Array) {
    this.#seal = new Seal(key)
  }

  seal(id: string, secret: string): string {
    return this.#seal.seal(secret, placeOf(id))
  }

  /**
   * What signs at a time (ms): the secret, and the one before for a while. Undefined where this installation has another key than the one
   * that sealed the secret. The one before need not open: after a change of the key, a new secret is enough.
   */
  signing({ id, secret, formerSecret, formerUntil }: SealedSecrets, at: number): string[] | undefined {
    const own = secret === null ? null : this.#open(secret, id)
    if (own === undefined) return undefined
    const isHeld = formerUntil !== null && formerUntil.getTime() > at
    const former = isHeld && formerSecret !== null ? this.#open(formerSecret, id) : undefined
    return [own, former].filter((each) => typeof each === 'string')
  }

  #open(sealed: string, id: string): string | undefined {
    try {
      return this.#seal.open(sealed, placeOf(id))
    } catch (error) {
      if (error instanceof SealError) return undefined
      throw error
    }
  }
}

const placeOf = (id: string) => `timeline endpoint ${id}`
