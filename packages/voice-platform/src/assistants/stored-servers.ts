import { Seal, SealError } from '@heyline/kit/seal'
import type { Server } from '@heyline/platform-client'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { type AskedServer, askedServer } from './server-schema.js'
import { SEALED } from './tool-secrets.js'

/** What the sealed text is bound to, where nothing else is named. */
const PLACE = 'server of a phone number'

/** As it is stored: what is secret is sealed. */
const storedServer = z.looseObject({ url: z.string(), sealed: z.string().optional() })
const secretsOf = z.object({
  secret: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

const sealedInCall = z.object({ [SEALED]: z.string() })

/** The servers of numbers and knowledge bases: sealed where they are stored, and in the assistants of calls; open where they are asked. */
export class StoredServers {
  readonly #seal: Seal | undefined
  readonly #place: string

  /**
   * @param key 32 bytes. Without one, secrets are refused.
   * @param place What the sealed text is bound to.
   */
  constructor(key?: Uint8Array, place = PLACE) {
    this.#seal = key && new Seal(key)
    this.#place = place
  }

  /** As it is stored. One without secrets keeps those that it had `before`, as long as it is at the same address and they can be opened. Throws an `ApiError` 422 without a key. */
  stored({ secret, headers, ...open }: AskedServer, before?: unknown): Record<string, unknown> {
    const given = { ...(secret !== undefined && { secret }), ...(headers && { headers }) }
    const former = storedServer.safeParse(before).data
    const kept = former?.url === open.url ? this.#knownSecretsOf(former.sealed) : {}
    const all = { ...kept, ...given }
    if (Object.keys(all).length === 0) return open
    if (!this.#seal) throw new ApiError(422, 'This platform has no key to seal secrets with.')
    return { ...open, sealed: this.#seal.seal(JSON.stringify(all), this.#place) }
  }

  /** With its secrets, to be asked. Undefined where there is none. Throws a `SealError` where they were sealed with another key. */
  opened(stored: unknown): AskedServer | undefined {
    const known = storedServer.safeParse(stored).data
    if (!known) return undefined
    const { sealed, ...open } = known
    return askedServer.safeParse({ ...open, ...this.#secretsOf(sealed) }).data
  }

  /** As the assistant of a call has it. Its secrets stay sealed, under a name that no answer and no message has. */
  inCall(stored: unknown): Server | undefined {
    const known = storedServer.safeParse(stored).data
    if (!known) return undefined
    const { sealed, ...open } = known
    const server = askedServer.safeParse(open).data
    return server && withoutUndefined({ ...server, ...(sealed !== undefined && { [SEALED]: sealed }) })
  }

  /** The server of a call's assistant as it is asked: with the secrets that are sealed in it. */
  openedInCall(server: Server): Server {
    const sealed = sealedInCall.safeParse(server).data?.[SEALED]
    return sealed === undefined ? server : withoutUndefined({ ...server, ...this.#knownSecretsOf(sealed) })
  }

  /** None where they were sealed with another key. */
  #knownSecretsOf(sealed: string | undefined): z.output<typeof secretsOf> {
    try {
      return this.#secretsOf(sealed)
    } catch (error) {
      if (error instanceof SealError) return {}
      throw error
    }
  }

  #secretsOf(sealed: string | undefined): z.output<typeof secretsOf> {
    return sealed === undefined || !this.#seal
      ? {}
      : secretsOf.parse(JSON.parse(this.#seal.open(sealed, this.#place)))
  }
}

type Loose<Value> = { [Name in keyof Value]: Value[Name] | undefined }

/** Zod's optional fields may be undefined; the client's types only let them be missing. JSON has no undefined, so both agree. */
const withoutUndefined = (server: Loose<Server>) => server as Server

/** As answers show it: without its secrets. */
export function shownServer(stored: unknown): { url: string } | undefined {
  const known = storedServer.safeParse(stored).data
  if (!known) return undefined
  const { sealed: _, ...open } = known
  return open
}
