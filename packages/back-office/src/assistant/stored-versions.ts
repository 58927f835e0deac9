import type { PlatformClient, UpdateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { OperatorsError } from '../operators/operators-error.js'
import { atPlatform } from './at-platform.js'
import { type Difference, differencesOf, isEditable, LIMITS } from './differences.js'
import { type Kept, type ShownAssistant, shown } from './shown-assistant.js'

/** Most versions that are looked at: the built-in platform keeps no more. */
const MOST = 50

/** As the built-in platform says it; a hosted one publishes no schema. */
const kept = z.object({
  version: z.coerce.string(),
  createdAt: z.string(),
  assistant: z.record(z.string(), z.unknown()),
})
type Version = z.output<typeof kept>

/** Of the platform's client, what this needs. */
export type VersionedAssistants = Pick<PlatformClient['assistants'], 'get' | 'replace' | 'listVersions'>

/** How far a restore goes. */
export interface RestoreRights {
  /** More than texts, voice and model. */
  mayChangeAll: boolean
  /** Limits stay as they are. */
  keepsLimits: boolean
}

/** What the stored assistant was, and the way back. Everything rejects with an `OperatorsError`. */
export class StoredVersions {
  readonly #assistants: VersionedAssistants
  readonly #id: string

  constructor(assistants: VersionedAssistants, id: string) {
    this.#assistants = assistants
    this.#id = id
  }

  /** The newest first, each with the names of what is different from the one before it; null where that is not kept. */
  async list() {
    const versions = await this.#versions()
    return {
      versions: versions.map(({ version, createdAt }, at) => ({
        ...{ version, createdAt, isNow: at === 0 },
        changed: changesOf(versions, at)?.map(({ field }) => field) ?? null,
      })),
    }
  }

  /** One version: what changed with it, and what would change with going back to it. */
  async show(version: string) {
    const versions = await this.#versions()
    const { at, found } = this.#find(versions, version)
    return {
      ...{ version, createdAt: found.createdAt },
      changes: changesOf(versions, at) ?? null,
      restores: differencesOf(versions[0]?.assistant ?? {}, found.assistant),
    }
  }

  /** Gives the assistant the settings of a version, which makes a new one. `before` is the version that was the newest until now. */
  async restore(
    version: string,
    { mayChangeAll, keepsLimits }: RestoreRights,
  ): Promise<{ version: string; assistant: ShownAssistant; changed: string[]; before: string }> {
    const versions = await this.#versions()
    const { found } = this.#find(versions, version)
    const before = versions[0]?.version ?? version
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

  async #versions(): Promise<Version[]> {
    const { results } = await atPlatform(() => this.#assistants.listVersions(this.#id, { limit: MOST }))
    const parsed = z.array(kept).safeParse(results)
    if (parsed.success) return parsed.data
    throw new OperatorsError(
      'not_supported',
      'The hosted platform says its versions in a form of its own: look at them in its dashboard',
      { cause: parsed.error },
    )
  }

  #find(versions: Version[], version: string) {
    const at = versions.findIndex((each) => each.version === version)
    const found = versions[at]
    if (found) return { at, found }
    throw new OperatorsError(
      'version_not_found',
      `The assistant has no version ${version}: the last ${MOST} are kept. Look at the list again`,
    )
  }
}

function changesOf(versions: Version[], at: number): Difference[] | undefined {
  const [version, older] = versions.slice(at, at + 2)
  return version && older && differencesOf(older.assistant, version.assistant)
}

/** The settings, with the limits of now. */
function withLimits(settings: Kept, now: Kept): Kept {
  const limits = LIMITS.map((name) => [name, now[name]] as const)
  const others = Object.entries(settings).filter(([name]) => !LIMITS.some((limit) => limit === name))
  return Object.fromEntries([...others, ...limits.filter(([, value]) => value !== undefined)])
}
