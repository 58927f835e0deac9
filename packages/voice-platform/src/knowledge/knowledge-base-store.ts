import type { Queryable } from '@heyline/database'
import type { CustomKnowledgeBase, FilesKnowledgeBase } from '@heyline/platform-client'
import type { AskedServer } from '../assistants/server-schema.js'
import { StoredServers, shownServer } from '../assistants/stored-servers.js'
import { ApiError } from '../resources/api-error.js'
import { type ListWindow, windowSql } from '../resources/list-window.js'

interface KnowledgeBaseRow {
  id: string
  org_id: string
  name: string | null
  file_ids: string[]
  server: unknown
}

/** A knowledge base that is served here. */
export type StoredKnowledgeBase = FilesKnowledgeBase | CustomKnowledgeBase

const TABLE = 'voice_platform.knowledge_bases'
/** Most knowledge bases, and most bytes of all together. */
const MOST: KnowledgeBaseBounds = { count: 10_000, bytes: 200_000_000 }
/** How many there are, and their bytes. What others store meanwhile may go beyond. */
const STORED = `select count(*)::int as count, coalesce(sum(${sizeSql('name', 'file_ids', 'server')}), 0)::float8 as bytes from ${TABLE}`
const COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, name, file_ids, server`

export interface KnowledgeBaseSettings {
  name?: string | undefined
  /** Each is stored once. */
  fileIds?: readonly string[] | undefined
  /** Of one that has no files. */
  server?: AskedServer | undefined
}

export interface KnowledgeBaseBounds {
  count: number
  bytes: number
}

/** What sealed secrets of their servers are bound to. */
export const SERVER_PLACE = 'server of a knowledge base'

/** The stored knowledge bases: which files an assistant looks things up in, or which server is asked. */
export class KnowledgeBaseStore {
  readonly #db: Queryable
  readonly #servers: StoredServers
  readonly #most: KnowledgeBaseBounds

  /** @param servers Seals the secrets of servers. Without it they are refused. */
  constructor(db: Queryable, servers = new StoredServers(), most = MOST) {
    this.#db = db
    this.#servers = servers
    this.#most = most
  }

  /** Rejects with an `ApiError`: 422 where a secret cannot be sealed, 400 where all together would be too many or too large. */
  async create({ name, fileIds = [], server }: KnowledgeBaseSettings): Promise<StoredKnowledgeBase> {
    const base = await this.#one(
      `insert into ${TABLE} (name, file_ids, server) select $1::text, $2::uuid[], $3::jsonb from (${STORED}) stored
       where stored.count < $4 and stored.bytes + ${sizeSql('$1::text', '$2::uuid[]', '$3::jsonb')} <= $5 returning ${COLUMNS}`,
      [name, arrayText(fileIds), server && this.#servers.stored(server), this.#most.count, this.#most.bytes],
    )
    if (!base) throw this.#full()
    return base
  }

  get(id: string): Promise<StoredKnowledgeBase | undefined> {
    return this.#one(`select ${COLUMNS} from ${TABLE} where id = $1`, [id])
  }

  /** Newest first. */
  list(window: ListWindow): Promise<StoredKnowledgeBase[]> {
    const { sql, parameters } = windowSql(window)
    return this.#all(`select ${COLUMNS} from ${TABLE} ${sql}`, parameters)
  }

  /** The server of this one, with its secrets; undefined where it has files. Rejects with a `SealError` where they were sealed with another key. */
  async serverOf(id: string): Promise<AskedServer | undefined> {
    return this.#servers.opened(await this.#storedServer(id))
  }

  /** Replaces what is given. Secrets that are not given anew stay while the server's address does. Rejects as `create` does. */
  async update(
    id: string,
    { name, fileIds, server }: KnowledgeBaseSettings,
  ): Promise<StoredKnowledgeBase | undefined> {
    const changed = server && this.#servers.stored(server, await this.#storedServer(id))
    const given = [
      'coalesce($2, name)',
      'coalesce($3::uuid[], file_ids)',
      'coalesce($4::jsonb, server)',
    ] as const
    const growth = `${sizeSql(...given)} - ${sizeSql('name', 'file_ids', 'server')}`
    const updated = await this.#one(
      `update ${TABLE} set name = ${given[0]}, file_ids = ${given[1]}, server = ${given[2]}, updated_at = now()
       from (${STORED}) stored where id = $1 and (${growth} <= 0 or stored.bytes + ${growth} <= $5) returning ${COLUMNS}`,
      [id, name, fileIds && arrayText(fileIds), changed, this.#most.bytes],
    )
    if (!updated && (await this.get(id))) throw this.#full()
    return updated
  }

  #full(): ApiError {
    const { count, bytes } = this.#most
    return new ApiError(
      400,
      `There may be ${count} knowledge bases, with ${bytes / 1_000_000} MB together. Delete those that are not needed any more first.`,
    )
  }

  async #storedServer(id: string): Promise<unknown> {
    const { rows } = await this.#db.query<{ server: unknown }>(
      `select server from ${TABLE} where id::text = lower($1)`,
      [id],
    )
    return rows[0]?.server ?? undefined
  }

  /** Its files stay. */
  delete(id: string): Promise<StoredKnowledgeBase | undefined> {
    return this.#one(`delete from ${TABLE} where id = $1 returning ${COLUMNS}`, [id])
  }

  async #one(sql: string, parameters: unknown[]): Promise<StoredKnowledgeBase | undefined> {
    const [base] = await this.#all(sql, parameters)
    return base
  }

  async #all(sql: string, parameters: unknown[]): Promise<StoredKnowledgeBase[]> {
    const { rows } = await this.#db.query<KnowledgeBaseRow>(sql, parameters)
    return rows.map(view)
  }
}

/** In SQL: how many bytes of a knowledge base are stored. */
function sizeSql(name: string, fileIds: string, server: string): string {
  // As they are stored: long lists stand beside the row, and are not read.
  return `(pg_column_size(${fileIds}) + coalesce(pg_column_size(${name}), 0) + coalesce(pg_column_size(${server}), 0))`
}

const arrayText = (ids: readonly string[]): string =>
  `{${[...new Set(ids.map((id) => id.toLowerCase()))].join(',')}}`

function view({ id, org_id: orgId, name, file_ids: fileIds, server }: KnowledgeBaseRow): StoredKnowledgeBase {
  const shown = shownServer(server)
  if (shown) return { id, orgId, provider: 'custom-knowledge-base', server: shown }
  return { id, orgId, provider: 'canonical', ...(name !== null && { name }), fileIds }
}
