import type { Queryable } from '@heyline/database'
import type { FilesKnowledgeBase } from '@heyline/platform-client'
import { type ListWindow, windowSql } from '../resources/list-window.js'

interface KnowledgeBaseRow {
  id: string
  org_id: string
  name: string | null
  file_ids: string[]
}

const TABLE = 'voice_platform.knowledge_bases'
const COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, name, file_ids`

export interface KnowledgeBaseSettings {
  name?: string | undefined
  fileIds?: readonly string[] | undefined
}

/** The stored knowledge bases: which files an assistant looks things up in. */
export class KnowledgeBaseStore {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async create({ name, fileIds = [] }: KnowledgeBaseSettings): Promise<FilesKnowledgeBase> {
    const base = await this.#one(
      `insert into ${TABLE} (name, file_ids) values ($1, $2::uuid[]) returning ${COLUMNS}`,
      [name, arrayText(fileIds)],
    )
    if (!base) throw new Error('The database returned no row for an inserted knowledge base.')
    return base
  }

  get(id: string): Promise<FilesKnowledgeBase | undefined> {
    return this.#one(`select ${COLUMNS} from ${TABLE} where id = $1`, [id])
  }

  /** Newest first. */
  list(window: ListWindow): Promise<FilesKnowledgeBase[]> {
    const { sql, parameters } = windowSql(window)
    return this.#all(`select ${COLUMNS} from ${TABLE} ${sql}`, parameters)
  }

  /** Replaces what is given. */
  update(id: string, { name, fileIds }: KnowledgeBaseSettings): Promise<FilesKnowledgeBase | undefined> {
    return this.#one(
      `update ${TABLE} set name = coalesce($2, name), file_ids = coalesce($3::uuid[], file_ids), updated_at = now()
       where id = $1 returning ${COLUMNS}`,
      [id, name, fileIds && arrayText(fileIds)],
    )
  }

  /** Its files stay. */
  delete(id: string): Promise<FilesKnowledgeBase | undefined> {
    return this.#one(`delete from ${TABLE} where id = $1 returning ${COLUMNS}`, [id])
  }

  async #one(sql: string, parameters: unknown[]): Promise<FilesKnowledgeBase | undefined> {
    const [base] = await this.#all(sql, parameters)
    return base
  }

  async #all(sql: string, parameters: unknown[]): Promise<FilesKnowledgeBase[]> {
    const { rows } = await this.#db.query<KnowledgeBaseRow>(sql, parameters)
    return rows.map(view)
  }
}

const arrayText = (ids: readonly string[]): string => `{${ids.join(',')}}`

const view = (row: KnowledgeBaseRow): FilesKnowledgeBase => ({
  id: row.id,
  orgId: row.org_id,
  provider: 'canonical',
  ...(row.name !== null && { name: row.name }),
  fileIds: row.file_ids,
})
