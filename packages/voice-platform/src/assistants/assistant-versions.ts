import type { Queryable } from '@heyline/database'
import type { AssistantVersionPage, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { withoutToolSecrets } from './tool-secrets.js'

/** Query of `GET /assistant/{id}/version`. A page state is the number of the last version that was seen. */
export const listVersions = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000).default(1),
  limit: z.coerce.number().int().min(1).max(50).default(10),
  pageState: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the nextPageState of the page before')
    .optional(),
})

/** A version as calls and addresses name it. */
export const versionNumber = z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')

interface VersionRow {
  version: number
  settings: CreateAssistant
  created_at: Date
  total: number
}

const TABLE = 'voice_platform.assistant_versions'

/** What the settings of assistants were. A trigger keeps the last fifty of each, whoever changes them. */
export class AssistantVersions {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Newest first. */
  async page(
    assistantId: string,
    { page, limit, pageState }: z.infer<typeof listVersions>,
  ): Promise<AssistantVersionPage> {
    const { rows } = await this.#db.query<VersionRow>(
      `select version, settings, created_at, (select count(*)::int from ${TABLE} where assistant_id = $1) as total
       from ${TABLE} where assistant_id = $1 and ($2::int is null or version < $2::int)
       order by version desc limit $3 offset $4`,
      [
        assistantId,
        pageState === undefined ? null : Number(pageState),
        limit + 1,
        pageState === undefined ? (page - 1) * limit : 0,
      ],
    )
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      results: shown.map(({ version, settings, created_at }) => ({
        assistantId,
        version: String(version),
        createdAt: created_at.toISOString(),
        assistant: withoutToolSecrets(settings),
      })),
      metadata: { itemsPerPage: limit, totalItems: rows[0]?.total ?? 0, currentPage: page },
      ...(rows.length > limit && last && { nextPageState: String(last.version) }),
    }
  }

  /** What the settings were, newest first, with sealed secrets, and without the prompt: fifty of these may have many megabytes. */
  async withoutPrompts(assistantId: string): Promise<unknown[]> {
    const { rows } = await this.#db.query<{ settings: unknown }>(
      `select settings #- '{model,messages}' as settings from ${TABLE} where assistant_id = $1 order by version desc`,
      [assistantId],
    )
    return rows.map(({ settings }) => settings)
  }

  /** The settings of one version, with sealed secrets; undefined where it is not kept. */
  async find(assistantId: string, version: string): Promise<CreateAssistant | undefined> {
    const { rows } = await this.#db.query<{ settings: CreateAssistant }>(
      `select settings from ${TABLE} where assistant_id = $1 and version = $2::int`,
      [assistantId, Number(version)],
    )
    return rows[0]?.settings
  }
}
