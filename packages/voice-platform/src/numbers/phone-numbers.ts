import type { PhoneNumber } from '@heyline/platform-client'
import type { AssistantStore } from '../assistants/assistant-store.js'
import type { StoredServers } from '../assistants/stored-servers.js'
import {
  type AccountCredentials,
  type InboundRoute,
  type NumberAccount,
  NumberAccountError,
  type NumberRight,
} from '../carriers/number-account.js'
import { ApiError } from '../resources/api-error.js'
import type { ResourceStore } from '../resources/resource-store.js'
import { type ImportNumberBody, UNSERVED_SETTINGS, type UpdateNumberBody } from './phone-number-schema.js'
import type { NumberSettings, PhoneNumberStore } from './phone-number-store.js'

export interface PhoneNumbersOptions {
  store: PhoneNumberStore
  assistants: Pick<AssistantStore, 'find'>
  /** Where squads and workflows are stored. */
  scripts?: Record<'squads' | 'workflows', Pick<ResourceStore, 'get'>> | undefined
  /** Seals the secrets of servers. */
  servers: StoredServers
  /** Whose numbers they are. Not given: calls go nowhere real, and any number will do. */
  account?: NumberAccount | undefined
}

/** A number of whom nobody needs to ask, and what is set for it. */
export interface AddedNumber {
  /** E.164. */
  number: string
  name?: string
  assistantId?: string
}

const NOT_OURS =
  'is neither a number of the Twilio account that can call nor one of its verified caller ids: buy it, or verify it in the console of Twilio.'

/** Takes numbers in, once their account has said that it may call from them. All rejects with an `ApiError`. */
export class PhoneNumbers {
  readonly #options: PhoneNumbersOptions

  constructor(options: PhoneNumbersOptions) {
    this.#options = options
  }

  /** A number as the REST API brings it. Credentials are asked with, and forgotten. */
  async import({ twilioPhoneNumber: number, ...body }: ImportNumberBody): Promise<PhoneNumber> {
    refuseUnserved(body)
    const account = this.#accountFor(body.twilioAccountSid)
    const { name, assistantId, squadId, workflowId } = body
    const server = body.server && this.#options.servers.stored(body.server)
    await this.#refuseUnknown(body)
    if (!(await asked(account.find(number, credentialsIn(body, account.sid)))))
      throw new ApiError(400, `This phone number ${NOT_OURS}`)
    return this.#options.store.create(number, {
      ...ofTwilio(account),
      name,
      assistantId,
      squadId,
      workflowId,
      server,
    })
  }

  /** A number as an operator brings it: the account is the server's own. Any number where there is none. */
  async add({ number, ...settings }: AddedNumber): Promise<PhoneNumber> {
    const { account, store } = this.#options
    await this.#refuseUnknown(settings)
    if (account && !(await asked(account.find(number))))
      throw new ApiError(400, `This phone number ${NOT_OURS}`)
    return store.create(number, { ...(account ? ofTwilio(account) : OWN), ...settings })
  }

  /** Makes a number the one that calls where none is named, and stores it where it is not. Nobody is asked about it. */
  makeDefault(number: string): Promise<PhoneNumber> {
    const { account, store } = this.#options
    return store.makeDefault(number, account ? ofTwilio(account) : OWN)
  }

  /** How the account may call from a number; undefined where it may not. Rejects with a `NumberAccountError`. `free`: there is no account. */
  async rightTo(number: string): Promise<NumberRight | 'free' | undefined> {
    return this.#options.account ? this.#options.account.find(number) : 'free'
  }

  /** Where the account sends calls to this number; undefined where they never come to it. Rejects with a `NumberAccountError`. */
  async inbound(number: string): Promise<InboundRoute | undefined> {
    return this.#options.account?.inbound(number)
  }

  /** Has the account send calls to this number here. Resolves with whether that is news; 400 where it may not, 503 where it said nothing. */
  async receive(number: string, overwrite: boolean): Promise<boolean> {
    return asked(
      this.#accountFor(undefined).receive(number, { overwrite }),
      'Where calls to the number go is not known: try again, or see heyline doctor.',
    )
  }

  async update(id: string, body: UpdateNumberBody): Promise<PhoneNumber | undefined> {
    refuseUnserved(body)
    const stored = await this.#options.store.get(id)
    if (!stored) return undefined
    if (body.provider !== undefined && body.provider !== stored.provider)
      throw new ApiError(400, `provider must be ${stored.provider}, which this number has`)
    if (body.number !== undefined && body.number !== stored.number)
      throw ApiError.notServed(
        'The digits of a stored number can not be changed on the built-in voice platform: import the other number.',
      )
    // Credentials are the server's own; what a request brings is checked where a number comes in, and is never kept.
    if (body.twilioAccountSid !== undefined) this.#accountFor(body.twilioAccountSid)
    const { name, server } = body
    await this.#refuseUnknown(body)
    const { servers, store } = this.#options
    return store.update(id, {
      ...(server !== undefined && {
        server: server && servers.stored(server, await store.storedServer(id)),
      }),
      ...(name !== undefined && { name }),
      ...answerersOf(body),
    })
  }

  #accountFor(sid: string | undefined): NumberAccount {
    const { account } = this.#options
    if (!account)
      throw ApiError.notServed(
        'The built-in voice platform calls through no Twilio account: this needs CARRIER=twilio.',
      )
    if (sid !== undefined && sid !== account.sid)
      throw ApiError.notServed(
        'The built-in voice platform calls through one Twilio account, that of TWILIO_ACCOUNT_SID: numbers of others are not served.',
      )
    return account
  }

  async #refuseUnknown(given: Answerers): Promise<void> {
    const { assistantId, squadId, workflowId } = given
    if ([assistantId, squadId, workflowId].filter(Boolean).length > 1)
      throw new ApiError(400, 'Only one of assistantId, squadId and workflowId can be provided.')
    const { assistants, scripts } = this.#options
    if (assistantId && !(await assistants.find(assistantId)))
      throw new ApiError(400, `Assistant ${assistantId} does not exist.`)
    if (squadId && !(await scripts?.squads.get(squadId)))
      throw new ApiError(400, `Squad ${squadId} does not exist.`)
    if (workflowId && !(await scripts?.workflows.get(workflowId)))
      throw new ApiError(400, `Workflow ${workflowId} does not exist.`)
  }
}

/** Who answers calls to a number. */
type Answerers = Pick<NumberSettings, 'assistantId' | 'squadId' | 'workflowId'>

/** Whoever is set takes the place of the one before. */
function answerersOf({ assistantId, squadId, workflowId }: Answerers): Answerers {
  const nobody = { assistantId: null, squadId: null, workflowId: null }
  const given = {
    ...(assistantId !== undefined && { assistantId }),
    ...(squadId !== undefined && { squadId }),
    ...(workflowId !== undefined && { workflowId }),
  }
  return assistantId || squadId || workflowId ? { ...nobody, ...given } : given
}

const OWN = { provider: 'vapi' } as const satisfies NumberSettings

const ofTwilio = ({ sid }: NumberAccount): NumberSettings => ({ provider: 'twilio', twilioAccountSid: sid })

function refuseUnserved(body: Partial<Record<keyof typeof UNSERVED_SETTINGS, unknown>>): void {
  for (const [name, message] of Object.entries(UNSERVED_SETTINGS)) {
    const given = body[name as keyof typeof UNSERVED_SETTINGS]
    if (given !== undefined && given !== null && given !== false) throw ApiError.notServed(message)
  }
}

/** The token goes before the key, as on the platform. Undefined: the server's own. */
function credentialsIn(
  { twilioAuthToken, twilioApiKey, twilioApiSecret }: Partial<ImportNumberBody>,
  sid: string,
): AccountCredentials | undefined {
  if (twilioAuthToken !== undefined) return { user: sid, password: twilioAuthToken }
  if (twilioApiKey === undefined && twilioApiSecret === undefined) return undefined
  if (twilioApiKey === undefined || twilioApiSecret === undefined)
    throw new ApiError(400, 'twilioApiKey and twilioApiSecret belong together')
  return { user: twilioApiKey, password: twilioApiSecret }
}

/** What the account said. Rejects with an `ApiError`: 400 for credentials that it refuses, 503 where it said nothing. */
async function asked<Value>(
  answer: Promise<Value>,
  otherwise = 'Nothing was stored: try again.',
): Promise<Value> {
  try {
    return await answer
  } catch (cause) {
    if (!(cause instanceof NumberAccountError)) throw cause
    if (cause.code !== 'unanswered') throw new ApiError(400, cause.message, { cause })
    throw new ApiError(503, `${cause.message} ${otherwise}`, { cause })
  }
}
