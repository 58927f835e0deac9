import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { foundBy } from '../resources/found-by.js'
import type { ResourceStore } from '../resources/resource-store.js'

/** The providers that ask a user for consent. The integrations at Nango have the same names. */
export const CONSENT_PROVIDERS = [
  'google.calendar.oauth2-client',
  'google.calendar.oauth2-authorization',
  'google.sheets.oauth2-authorization',
  'slack.oauth2-authorization',
] as const

/** What becomes a header of requests. */
export const connectionId = z.string().regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 characters of ASCII')

/** A user’s consent, as Nango keeps it. */
export interface Consent {
  provider: (typeof CONSENT_PROVIDERS)[number]
  connectionId: string
}

const consented = z
  .looseObject({ provider: z.enum(CONSENT_PROVIDERS), authorizationId: connectionId })
  .transform(({ provider, authorizationId }): Consent => ({ provider, connectionId: authorizationId }))

/** Most credentials that are looked through for the only consent. */
const NEWEST = { limit: 100 }

/** The consents of users, stored as credentials. */
export class Consents {
  readonly #credentials: ResourceStore

  constructor(credentials: ResourceStore) {
    this.#credentials = credentials
  }

  async has(consent: Consent): Promise<boolean> {
    return (await this.#credentials.get(credentialIdOf(consent))) !== undefined
  }

  /** Stores a consent once, however often it is told. */
  async keep(consent: Consent): Promise<void> {
    const { provider, connectionId: authorizationId } = consent
    await this.#credentials.createOnce(credentialIdOf(consent), { provider, authorizationId })
  }

  /** The consent of a credential, or the only one there is. Rejects with an `ApiError` that says what to do. */
  async find(credentialId: string | undefined): Promise<Consent> {
    return credentialId === undefined ? await this.#only() : await this.#named(credentialId)
  }

  async #named(id: string): Promise<Consent> {
    const [settings] = await this.#credentials.whole([id.toLowerCase()])
    if (!settings) throw new ApiError(404, `Credential ${id} does not exist.`)
    const consent = consented.safeParse(settings).data
    if (!consent) throw new ApiError(400, `Credential ${id} is not the consent of a user.`)
    return consent
  }

  async #only(): Promise<Consent> {
    const listed = await this.#credentials.list(NEWEST, { [foundBy('provider')]: CONSENT_PROVIDERS })
    const settings = await this.#credentials.whole(listed.map(({ id }) => id))
    const all = settings.flatMap((one) => consented.safeParse(one).data ?? [])
    // Whoever stored one by hand, too, has the same one twice.
    const [first, ...others] = new Map(all.map((one) => [credentialIdOf(one), one])).values()
    if (!first)
      throw new ApiError(400, 'No user has consented yet: ask for it with POST /credential/session first.')
    if (others.length > 0)
      throw new ApiError(400, 'Several users have consented: name one by input.credentialId.')
    return first
  }
}

/** An id that is the connection’s own (a UUID of version 8, RFC 9562): what is told again is found again, and nothing open names it. */
export function credentialIdOf({ provider, connectionId }: Consent): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([provider, connectionId]))
    .digest()
    .subarray(0, 16)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
