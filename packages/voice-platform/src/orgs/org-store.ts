import type { Queryable } from '@heyline/database'
import type { Org } from '@heyline/platform-client'

interface Row {
  id: string
  name: string | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = `org_id as id, org_name as name, coalesce(org_created_at, now()) as created_at,
  coalesce(org_updated_at, org_created_at, now()) as updated_at`

/** The installation, as the API's one organisation. */
export class OrgStore {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async get(): Promise<Org> {
    return this.#one(`select ${COLUMNS} from voice_platform.settings`, [])
  }

  async rename(name: string | undefined): Promise<Org> {
    return this.#one(
      `update voice_platform.settings set org_name = coalesce($1, org_name), org_updated_at = now()
       returning ${COLUMNS}`,
      [name ?? null],
    )
  }

  async #one(sql: string, parameters: unknown[]): Promise<Org> {
    const { rows } = await this.#db.query<Row>(sql, parameters)
    const [row] = rows
    if (!row) throw new Error('The database has no row of the platform’s settings.')
    const { id, name, created_at, updated_at } = row
    return {
      id,
      ...(name !== null && { name }),
      createdAt: created_at.toISOString(),
      updatedAt: updated_at.toISOString(),
    }
  }
}
