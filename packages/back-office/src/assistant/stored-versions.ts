import type { ListAssistantVersions, PlatformClient, UpdateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { OperatorsError } from '../operators/operators-error.js'
import { atPlatform } from './at-platform.js'
import { differencesOf, isEditable, LIMITS } from './differences.js'
import { type Kept, type ShownAssistant, shown } from './shown-assistant.js'

/** Most versions that are looked at: the built-in platform keeps no more. */
const MOST = 50

/** A version of the built-in platform. */
const NUMBER = /^[1-9]\d{0,7}$/

/** As the built-in platform says it; a hosted one publishes no schema. */
const kept = z.object({
  version: z.coerce.string(),
  createdAt: z.string(),
  assistant: z.record(z.string(), z.unknown()),
})
type Version = z.output<typeof kept>

/** The newest version. */
interface Newest {
  /** Undefined where nothing is kept. */
  version: Version | undefined
  /** Pages go on after the number of a version, as the built-in platform's do. Others have tokens of their own. */
  isNumbered: boolean
  /** Another one where another list is kept. */
  state: string
}

/** Of the platform's client, what this needs. */
export type VersionedAssistants = Pick<PlatformClient['assistants'], 'get' | 'replace' | 'listVersions'>

/** How far a restore goes. */
export interface RestoreRights {
  /** More than texts, who speaks and the model. */
  mayChangeAll: boolean
  /** Limits stay as they are. */
  keepsLimits: boolean
}

/** The list of a state. */
interface Listed {
  state: string
  list: Promise<ReturnType<typeof listOf>>
}

/**
 * What the stored assistant was, and the way back. Everything rejects with an `OperatorsError`. All versions at once may be many megabytes:
 * they are read where the newest is another one than before, or where the platform gives no part of them, and once for all who ask meanwhile.
 */
export class StoredVersions {
  readonly #assistants: VersionedAssistants
  readonly #id: string
  #reading: { state: string; versions: Promise<Version[]> } | undefined
  #listed: Listed | undefined

  constructor(assistants: VersionedAssistants, id: string) {
    this.#assistants = assistants
    this.#id = id
  }

  /** The newest first, each with the names of what is different from the one before it; null where that is not kept. */
  async list() {
    const newest = await this.#newest()
    if (this.#listed?.state !== newest.state) this.#listed = this.#newList(newest)
    return await this.#listed.list
  }

  /** One version: what changed with it, and what would change with going back to it. */
  async show(version: string) {
    const newest = await this.#newest()
    const [found, older] = await this.#from(newest, version, 2)
    return {
      ...{ version, createdAt: found.createdAt },
      changes: older ? differencesOf(older.assistant, found.assistant) : null,
      restores: differencesOf(newest.version?.assistant ?? {}, found.assistant),
    }
  }

  /** Gives the assistant the settings of a version, which makes a new one. `before` is the version that was the newest until now. */
  async restore(
    version: string,
    { mayChangeAll, keepsLimits }: RestoreRights,
  ): Promise<{ version: string; assistant: ShownAssistant; changed: string[]; before: string }> {
    const newest = await this.#newest()
    const [found] = await this.#from(newest, version, 1)
    const before = newest.version?.version ?? version
    const now = await atPlatform(() => this.#assistants.get(this.#id))
    const wanted = keepsLimits ? withLimits(found.assistant, { ...now }) : found.assistant
    const changed = differencesOf({ ...now }, wanted).map(({ field }) => field)
    if (changed.length === 0) return { version, assistant: shown(now), changed, before }
    const others = changed.filter((field) => !isEditable(field))
    if (!mayChangeAll && others.length > 0)
      throw new OperatorsError(
        'forbidden',
        `Version ${version} has another ${others.join(', ')}, which editors do not change: ask an owner to restore it`,
      )
    const assistant = await atPlatform(() => this.#assistants.replace(this.#id, wanted as UpdateAssistant))
    return { version, assistant: shown(assistant), changed, before }
  }

  #newList(newest: Newest): Listed {
    const listed = { state: newest.state, list: this.#all(newest).then(listOf) }
    listed.list.catch(() => {
      if (this.#listed === listed) this.#listed = undefined
    })
    return listed
  }

  async #newest(): Promise<Newest> {
    const { versions, metadata, nextPageState } = await this.#page({ limit: 1 })
    const [version] = versions
    return {
      version,
      isNumbered: version !== undefined && NUMBER.test(version.version) && nextPageState === version.version,
      state: JSON.stringify([version, metadata?.totalItems]),
    }
  }

  /** A version and those before it: so many in all, as far as they are kept. */
  async #from(newest: Newest, version: string, limit: number): Promise<[Version, ...Version[]]> {
    const versions = newest.isNumbered ? await this.#after(newest, version, limit) : await this.#all(newest)
    const at = versions.findIndex((each) => each.version === version)
    const [found, ...older] = at < 0 ? [] : versions.slice(at, at + limit)
    if (found) return [found, ...older]
    throw new OperatorsError(
      'version_not_found',
      `The assistant has no version ${version}: the last ${MOST} are kept. Look at the list again`,
    )
  }

  async #after({ version: newest }: Newest, version: string, limit: number): Promise<Version[]> {
    if (!NUMBER.test(version) || Number(version) > Number(newest?.version)) return []
    const { versions } = await this.#page({ limit, pageState: String(Number(version) + 1) })
    return versions
  }

  #all({ state }: Newest): Promise<Version[]> {
    if (this.#reading?.state === state) return this.#reading.versions
    const versions = this.#page({ limit: MOST }).then((page) => page.versions)
    const reading = { state, versions }
    this.#reading = reading
    const end = () => {
      if (this.#reading === reading) this.#reading = undefined
    }
    versions.then(end, end)
    return versions
  }

  async #page(query: ListAssistantVersions) {
    const { results, ...page } = await atPlatform(() => this.#assistants.listVersions(this.#id, query))
    const parsed = z.array(kept).safeParse(results)
    if (parsed.success) return { ...page, versions: parsed.data }
    throw new OperatorsError(
      'not_supported',
      'The hosted platform says its versions in a form of its own: look at them in its dashboard',
      { cause: parsed.error },
    )
  }
}

/** All versions as a list shows them. */
const listOf = (versions: Version[]) => ({
  versions: versions.map(({ version, createdAt, assistant }, at) => {
    const older = versions[at + 1]
    return {
      ...{ version, createdAt, isNow: at === 0 },
      changed: older ? differencesOf(older.assistant, assistant).map(({ field }) => field) : null,
    }
  }),
})

/** The settings, with the limits of now. */
function withLimits(settings: Kept, now: Kept): Kept {
  const limits = LIMITS.map((name) => [name, now[name]] as const)
  const others = Object.entries(settings).filter(([name]) => !LIMITS.some((limit) => limit === name))
  return Object.fromEntries([...others, ...limits.filter(([, value]) => value !== undefined)])
}
