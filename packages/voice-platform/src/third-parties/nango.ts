import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import type { Consent } from './consents.js'
import { neededText } from './needed-text.js'
import { partyList } from './party-list.js'
import { askParty, type Party } from './party-request.js'

const ORIGIN = 'https://api.nango.dev'

export const nangoAccount = z.looseObject({
  apiKey: neededText('the secret key of an environment at Nango'),
  /** Of a Nango of one's own. */
  url: z.url({ protocol: /^https?$/, error: 'must begin with https://' }).optional(),
  /** What webhooks are signed with, where that is not `apiKey`. */
  webhookKey: z.string().min(1).optional(),
})
export type NangoAccount = z.infer<typeof nangoAccount>

/** Whose connection it is: a tag, and what stood for it before there were tags. */
const listed = z.looseObject({
  connection_id: z.string(),
  provider_config_key: z.string(),
  tags: z.looseObject({ organization_id: z.string().optional() }).nullish(),
  end_user: z
    .looseObject({ organization: z.looseObject({ id: z.string() }).nullish().catch(undefined) })
    .nullish(),
})
const list = z.looseObject({ connections: partyList(listed) })
const session = z.looseObject({ data: z.looseObject({ token: z.string().min(1) }) })

/** How Nango is asked at its own address, and at one that somebody has chosen. */
export interface NangoFetch {
  fetch: Party['fetch']
  guardedFetch: Party['fetch']
}

/** Asks users of providers for their consent, and acts with it (https://nango.dev/docs). */
export class Nango {
  readonly #party: Party
  readonly #url: string

  constructor({ apiKey, url }: NangoAccount, { fetch, guardedFetch }: NangoFetch) {
    const headers = { authorization: `Bearer ${apiKey}` }
    this.#party = { name: 'Nango', headers, fetch: url === undefined ? fetch : guardedFetch }
    this.#url = url ?? ORIGIN
  }

  /**
   * Resolves with a token that opens the dialogue of one integration, for half an hour. `end_user` and `organization` are what every version
   * takes: new ones make tags of them, and those before tags refuse tags.
   */
  async session(integration: string, orgId: string): Promise<string> {
    const asked = {
      end_user: { id: orgId },
      organization: { id: orgId },
      allowed_integrations: [integration],
    }
    return (await this.#post(this.#party, '/connect/sessions', asked, session)).data.token
  }

  /** Whether this is a connection of a session that was for this organisation. */
  async isOf(orgId: string, { provider, connectionId }: Consent): Promise<boolean> {
    const { connections } = await this.#connections(connectionId)
    return connections.some(
      ({ connection_id, provider_config_key, tags, end_user }) =>
        connection_id === connectionId &&
        provider_config_key === provider &&
        (tags?.organization_id ?? end_user?.organization?.id) === orgId,
    )
  }

  /** Runs an action of an integration. Nobody may ask again by himself where Nango does not say whether it was done. */
  async trigger({ provider, connectionId }: Consent, action: string, input: object): Promise<void> {
    const headers = { 'connection-id': connectionId, 'provider-config-key': provider }
    const party = { ...this.#party, headers: { ...this.#party.headers, ...headers } }
    try {
      await this.#post(party, '/action/trigger', { action_name: action, input }, z.unknown())
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.status !== 503) throw cause
      throw new ApiError(
        400,
        'Nango does not say whether the action was done. Look at its logs before you ask for it again.',
        { cause },
      )
    }
  }

  async #connections(connectionId: string): Promise<z.infer<typeof list>> {
    const ask = (path: string) => {
      const url = this.#at(path)
      url.searchParams.set('connectionId', connectionId)
      return askParty(this.#party, url, list)
    }
    try {
      return await ask('/connections')
    } catch (error) {
      // The name of the list in earlier versions.
      if (error instanceof ApiError && error.status === 404) return await ask('/connection')
      throw error
    }
  }

  #post<Answer>(party: Party, path: string, body: object, answer: z.ZodType<Answer>): Promise<Answer> {
    const init = { method: 'POST', body: JSON.stringify(body), type: 'application/json' } as const
    return askParty(party, this.#at(path), answer, init)
  }

  #at(path: string): URL {
    const url = new URL(this.#url)
    url.pathname = url.pathname.replace(/\/+$/, '') + path
    url.search = ''
    return url
  }
}
