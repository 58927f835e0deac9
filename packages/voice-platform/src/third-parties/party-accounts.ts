import type { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { foundBy } from '../resources/found-by.js'
import type { ResourceStore } from '../resources/resource-store.js'

const NEWEST = { limit: 1 }

/** Nothing can be asked of this party yet. */
export const lackingAccount = (party: string, credential: Readonly<Record<string, string>>): ApiError =>
  ApiError.notServed(
    `This needs the key of an account at ${party}, stored by POST /credential as ${JSON.stringify(credential)}.`,
  )

/** The accounts at third parties: the newest credential that is stored of each. */
export class PartyAccounts {
  readonly #credentials: ResourceStore

  constructor(credentials: ResourceStore) {
    this.#credentials = credentials
  }

  /** The id and the settings of a provider’s credential, with its key. Undefined where none is stored; rejects where it lacks something. */
  async find<Account>(
    provider: string,
    schema: z.ZodType<Account>,
  ): Promise<{ id: string; account: Account } | undefined> {
    const [found] = await this.#credentials.list(NEWEST, { [foundBy('provider')]: provider })
    if (!found) return undefined
    const [settings] = await this.#credentials.whole([found.id])
    const read = schema.safeParse(settings)
    if (read.success) return { id: found.id, account: read.data }
    const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
    throw new ApiError(
      400,
      `The credential ${found.id} of ${provider} cannot be used: ${wrong}. Change or delete it.`,
    )
  }
}
