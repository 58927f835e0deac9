import type { Queryable } from '@heyline/database'
import type { Assistant, CreateAssistant } from '@heyline/platform-client'
import { type ListWindow, windowSql } from '../list-window.js'

interface AssistantRow {
  id: string
  org_id: string
  settings: CreateAssistant
  created_at: Date
  updated_at: Date
}

const COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, settings, created_at, updated_at`

/** The stored assistants. */
export class AssistantStore {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async create(settings: CreateAssistant): Promise<Assistant> {
    const [assistant] = await this.#all(
      `insert into voice_platform.assistants (settings) values ($1) returning ${COLUMNS}`,
      [JSON.stringify(settings)],
    )
    if (!assistant) throw new Error('The database returned no row for an inserted assistant.')
    return assistant
  }

  async find(id: string): Promise<CreateAssistant | undefined> {
    const { rows } = await this.#db.query<{ settings: CreateAssistant }>(
      `select settings from voice_platform.assistants where id = $1`,
      [id],
    )
    return rows[0]?.settings
  }

  /** Newest first. */
  list(window: ListWindow): Promise<Assistant[]> {
    const { sql, parameters } = windowSql(window)
    return this.#all(`select ${COLUMNS} from voice_platform.assistants ${sql}`, parameters)
  }

  async #all(sql: string, parameters: unknown[]): Promise<Assistant[]> {
    const { rows } = await this.#db.query<AssistantRow>(sql, parameters)
    return rows.map((row) => ({
      ...row.settings,
      id: row.id,
      orgId: row.org_id,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    }))
  }
}
