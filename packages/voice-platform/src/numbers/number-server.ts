import { Seal } from '@heyline/kit/seal'
import { z } from 'zod'
import { messageServer } from '../assistants/server-schema.js'
import { ApiError } from '../resources/api-error.js'

/** What the sealed text is bound to. */
const PLACE = 'server of a phone number'

/** The server of a number: who answers a call for which nobody is set. */
export const numberServer = messageServer.required({ url: true })

export type NumberServer = z.output<typeof numberServer>

/** As it is stored: what is secret is sealed. */
const storedServer = z.looseObject({ url: z.string(), sealed: z.string().optional() })
const secretsOf = z.object({
  secret: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

/** The servers of numbers: sealed where they are stored, open where they are asked. */
export class NumberServers {
  readonly #seal: Seal | undefined

  /** @param key 32 bytes. Without one, secrets are refused. */
  constructor(key?: Uint8Array) {
    this.#seal = key && new Seal(key)
  }

  /** As it is stored. One without secrets keeps those that it had `before`, as long as it is at the same address. Throws an `ApiError` 422 without a key. */
  stored({ secret, headers, ...open }: NumberServer, before?: unknown): Record<string, unknown> {
    const given = { ...(secret !== undefined && { secret }), ...(headers && { headers }) }
    const former = storedServer.safeParse(before).data
    const kept = former?.url === open.url ? this.#secretsOf(former.sealed) : {}
    const all = { ...kept, ...given }
    if (Object.keys(all).length === 0) return open
    if (!this.#seal) throw new ApiError(422, 'This platform has no key to seal secrets with.')
    return { ...open, sealed: this.#seal.seal(JSON.stringify(all), PLACE) }
  }

  /** With its secrets, to be asked. Undefined where there is none. */
  opened(stored: unknown): NumberServer | undefined {
    const known = storedServer.safeParse(stored).data
    if (!known) return undefined
    const { sealed, ...open } = known
    return numberServer.safeParse({ ...open, ...this.#secretsOf(sealed) }).data
  }

  #secretsOf(sealed: string | undefined): z.output<typeof secretsOf> {
    return sealed === undefined || !this.#seal
      ? {}
      : secretsOf.parse(JSON.parse(this.#seal.open(sealed, PLACE)))
  }
}

/** As answers show it: without its secrets. */
export function shownServer(stored: unknown): { url: string } | undefined {
  const known = storedServer.safeParse(stored).data
  if (!known) return undefined
  const { sealed: _, ...open } = known
  return open
}
