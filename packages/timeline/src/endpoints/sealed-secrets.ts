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

  /** What signs at a time (ms): the secret, and the one before for a while. Undefined where this installation has another key now. */
  signing({ id, secret, formerSecret, formerUntil }: SealedSecrets, at: number): string[] | undefined {
    const former = formerUntil !== null && formerUntil.getTime() > at ? formerSecret : null
    try {
      return [secret, former]
        .filter((sealed) => sealed !== null)
        .map((sealed) => this.#seal.open(sealed, placeOf(id)))
    } catch (error) {
      if (error instanceof SealError) return undefined
      throw error
    }
  }
}

const placeOf = (id: string) => `timeline endpoint ${id}`
