import type { Queryable } from '@heyline/database'
import type { Assistant, CreateAssistant, Page } from '@heyline/platform-client'
import { type PageWindow, readPage } from '../resources/list-page.js'
import { type ListWindow, windowSql } from '../resources/list-window.js'
import type { RowKey } from '../resources/row-parts.js'
import { AssistantVersions } from './assistant-versions.js'
import { holdsTools, ToolSecrets, withoutToolSecrets } from './tool-secrets.js'

interface AssistantRow {
  id: string
  org_id: string
  settings: CreateAssistant
  created_at: Date
  updated_at: Date
}

const TABLE = 'voice_platform.assistants'
const COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, settings, created_at, updated_at`
/**
 * The key of a row, and about how many bytes its settings have: what is packed is not unpacked for it, and taken for ten times as long. Prose is
 * packed to a half, and what is the same all over to a hundredth.
 */
const KEY = `id, pg_column_size(settings) * case when pg_column_compression(settings) is null then 1 else 10 end as bytes`

/** The stored assistants. */
export class AssistantStore {
  /** What their settings were. */
  readonly versions: AssistantVersions
  /** What its tools keep secret. */
  readonly secrets: ToolSecrets
  readonly #db: Queryable

  /** @param key 32 bytes, to seal the secrets of tools with. */
  constructor(db: Queryable, key?: Uint8Array) {
    this.#db = db
    this.secrets = new ToolSecrets(key)
    this.versions = new AssistantVersions(db)
  }

  async create(settings: CreateAssistant): Promise<Assistant> {
    const [assistant] = await this.#all(`insert into ${TABLE} (settings) values ($1) returning ${COLUMNS}`, [
      this.secrets.sealed(settings),
    ])
    if (!assistant) throw new Error('The database returned no row for an inserted assistant.')
    return assistant
  }

  /** The settings of an assistant, as they were given. Secrets of its tools are sealed. */
  async find(id: string): Promise<CreateAssistant | undefined> {
    const { rows } = await this.#db.query<{ settings: CreateAssistant }>(
      `select settings from ${TABLE} where id = $1`,
      [id],
      { prepared: true },
    )
    return rows[0]?.settings
  }

  get(id: string): Promise<Assistant | undefined> {
    return this.#one(`select ${COLUMNS} from ${TABLE} where id = $1`, [id])
  }

  /** Of a list, newest first. */
  async keys(window: ListWindow): Promise<RowKey[]> {
    const { sql, parameters } = windowSql(window)
    const { rows } = await this.#db.query<RowKey>(`select ${KEY} from ${TABLE} ${sql}`, parameters)
    return rows
  }

  /** Of one page, in the order that the window asks for. */
  pageOfKeys(window: PageWindow): Promise<Page<RowKey>> {
    return readPage<RowKey>(this.#db, { table: TABLE, columns: KEY, window })
  }

  /** Those of these that are there, in any order. */
  listed(ids: readonly string[]): Promise<Assistant[]> {
    return this.#all(
      `select ${COLUMNS} from ${TABLE} where id = any (array(select jsonb_array_elements_text($1::jsonb)::uuid))`,
      [ids],
    )
  }

  /** Replaces the given settings, each as a whole. Running calls keep the assistant that they began with. */
  async update(id: string, settings: CreateAssistant): Promise<Assistant | undefined> {
    const sealed = await this.#sealed(id, settings)
    return this.#one(
      `update ${TABLE} set settings = settings || $2::jsonb, updated_at = now() where id = $1 returning ${COLUMNS}`,
      [id, sealed],
    )
  }

  /** Replaces all settings with these. */
  async replace(id: string, settings: CreateAssistant): Promise<Assistant | undefined> {
    const sealed = await this.#sealed(id, settings)
    return this.#one(
      `update ${TABLE} set settings = $2, updated_at = now() where id = $1 returning ${COLUMNS}`,
      [id, sealed],
    )
  }

  /** Gives the assistant the settings that it had in this version, which makes a new one. Undefined where there is no such version. */
  restore(id: string, version: string): Promise<Assistant | undefined> {
    return this.#one(
      `update ${TABLE} set settings = kept.settings, updated_at = now() from voice_platform.assistant_versions kept
       where id = $1 and kept.assistant_id = $1 and kept.version = $2::int
       returning id, (select org_id from voice_platform.settings) as org_id, ${TABLE}.settings, ${TABLE}.created_at, updated_at`,
      [id, Number(version)],
    )
  }

  /** Resolves with the deleted assistant. If it was the default one, the next process to start makes another. */
  delete(id: string): Promise<Assistant | undefined> {
    return this.#one(`delete from ${TABLE} where id = $1 returning ${COLUMNS}`, [id])
  }

  async #sealed(id: string, settings: CreateAssistant): Promise<CreateAssistant> {
    if (!holdsTools(settings)) return settings
    // Who brings back what an assistant was has no secrets of its tools to send.
    const before = [await this.find(id), ...(await this.versions.withoutPrompts(id))]
    return this.secrets.sealed(settings, ...before)
  }

  async #one(sql: string, parameters: unknown[]): Promise<Assistant | undefined> {
    const [assistant] = await this.#all(sql, parameters)
    return assistant
  }

  async #all(sql: string, parameters: unknown[]): Promise<Assistant[]> {
    const { rows } = await this.#db.query<AssistantRow>(sql, parameters)
    return rows.map(view)
  }
}

const view = (row: AssistantRow): Assistant => ({
  ...withoutToolSecrets(row.settings),
  id: row.id,
  orgId: row.org_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
