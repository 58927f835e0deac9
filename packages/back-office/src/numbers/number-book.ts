import { NotFoundError, type PhoneNumber, type PlatformClient, RequestError } from '@heyline/platform-client'
import { ApiError, type StoredNumbers } from '@heyline/voice-platform'
import { OperatorsError } from '../operators/operators-error.js'

/** A number that calls, as operators see it. */
export interface OwnNumber {
  id: string
  number: string | null
  name: string | null
  assistantId: string | null
  isDefault: boolean
}

/** The numbers of whichever platform there is. All rejects with an `OperatorsError`. */
export interface NumberBook {
  /** The oldest first. */
  list(): Promise<OwnNumber[]>
  add(number: {
    number: string
    name?: string | undefined
    assistantId?: string | undefined
  }): Promise<OwnNumber>
  setDefault(id: string): Promise<OwnNumber>
  /** Has calls to it come to this server, and its assistant answer them. `isNews`: they did not come before. */
  receive(
    id: string,
    options: { overwrite?: boolean | undefined; assistantId?: string | null | undefined },
  ): Promise<OwnNumber & { isNews: boolean }>
  /** Resolves with what was there. */
  remove(id: string): Promise<OwnNumber>
}

export interface BuiltInBookOptions extends StoredNumbers {
  /** The id that a setting names, and the setting that says which number is the default; undefined where operators choose. */
  fixed: { setting: string; id?: string | undefined } | undefined
}

/** Most numbers that are read; no installation keeps more. */
const MOST = 1000

/** The numbers of the built-in platform. */
export function builtInNumbers({ numbers, numberStore, fixed }: BuiltInBookOptions): NumberBook {
  const defaultId = async () => fixed?.id ?? (await numberStore.default())?.id
  const shownAs = (number: PhoneNumber, id: string | undefined) => shown(number, id)
  const found = async (id: string) => {
    const number = UUID.test(id) ? await numberStore.get(id) : undefined
    if (!number) throw notFound()
    return number
  }
  return {
    async list() {
      const id = await defaultId()
      return (await numberStore.list({ limit: MOST })).reverse().map((number) => shownAs(number, id))
    },
    add: async ({ number, name, assistantId }) =>
      refusing(async () =>
        shownAs(
          await numbers.add({ number, ...(name && { name }), ...(assistantId && { assistantId }) }),
          await defaultId(),
        ),
      ),
    async setDefault(id) {
      const { number = '' } = await found(id)
      if (fixed) throw ofSettings(fixed.setting)
      const chosen = await numbers.makeDefault(number)
      return shownAs(chosen, chosen.id)
    },
    async receive(id, { overwrite = false, assistantId }) {
      const stored = await found(id)
      return refusing(async () => {
        // First, so that no caller finds nobody.
        const number =
          assistantId === undefined ? stored : ((await numbers.update(id, { assistantId })) ?? stored)
        const isNews = await numbers.receive(number.number ?? '', overwrite).catch(async (error: unknown) => {
          // Where nobody knows whether calls come here now, somebody had better answer them.
          const isRefused = error instanceof ApiError && error.status !== 503
          if (number !== stored && isRefused)
            await numbers.update(id, { assistantId: stored.assistantId ?? null })
          throw error
        })
        return { ...shownAs(number, await defaultId()), isNews }
      })
    },
    async remove(id) {
      if (fixed?.id === id) throw ofSettings(fixed.setting)
      await found(id)
      const gone = await refusing(() => numberStore.delete(id))
      if (!gone) throw notFound()
      return shownAs(gone, undefined)
    },
  }
}

/** The numbers of a hosted platform, which has its own ways to get and to give up a number. */
export function hostedNumbers(
  client: Pick<PlatformClient, 'phoneNumbers'>,
  phoneNumberId: string | undefined,
): NumberBook {
  const elsewhere = () =>
    new OperatorsError(
      'not_supported',
      'The voice platform is hosted elsewhere: numbers come and go in its dashboard',
    )
  return {
    list: () =>
      atPlatform(async () =>
        (await client.phoneNumbers.list({ limit: MOST }))
          .sort((one, other) => one.createdAt.localeCompare(other.createdAt))
          .map((number) => shown(number, phoneNumberId)),
      ),
    add: () => Promise.reject(elsewhere()),
    setDefault: () => Promise.reject(ofSettings('PLATFORM_PHONE_NUMBER_ID')),
    receive: () => Promise.reject(elsewhere()),
    remove: () => Promise.reject(elsewhere()),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const shown = ({ id, number, name, assistantId }: PhoneNumber, defaultId: string | undefined): OwnNumber => ({
  id,
  number: number ?? null,
  name: name ?? null,
  assistantId: assistantId ?? null,
  isDefault: id === defaultId,
})

const notFound = () =>
  new OperatorsError('number_not_found', 'There is no such number: see heyline numbers list')

const ofSettings = (setting: string) =>
  new OperatorsError('of_settings', `${setting} says which number calls: change it there, and start again`)

/** What the built-in platform refuses. */
async function refusing<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    const code = cause.status === 503 ? 'platform_unreachable' : 'number_refused'
    throw new OperatorsError(code, cause.message, { cause })
  }
}

async function atPlatform<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof NotFoundError) throw notFound()
    if (!(cause instanceof RequestError)) throw cause
    throw new OperatorsError(
      'platform_unreachable',
      'The voice platform did not do it: look at Settings, then try again',
      { cause },
    )
  }
}
