import type { Queryable } from '@heyline/database'
import type { CustomKnowledgeBase, FilesKnowledgeBase } from '@heyline/platform-client'
import type { AskedServer } from '../assistants/server-schema.js'
import { StoredServers, shownServer } from '../assistants/stored-servers.js'
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
const COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, name, file_ids, server`

export interface KnowledgeBaseSettings {
  name?: string | undefined
  fileIds?: readonly string[] | undefined
  /** Of one that has no files. */
  server?: AskedServer | undefined
}

/** What sealed secrets of their servers are bound to. */
export const SERVER_PLACE = 'server of a knowledge base'

/** The stored knowledge bases: which files an assistant looks things up in, or which server is asked. */
export class KnowledgeBaseStore {
  readonly #db: Queryable
  readonly #servers: StoredServers

  /** @param servers Seals the secrets of servers. Without it they are refused. */
  constructor(db: Queryable, servers = new StoredServers()) {
    this.#db = db
    this.#servers = servers
  }

  /** Rejects with an `ApiError` 422 where a secret cannot be sealed. */
  async create({ name, fileIds = [], server }: KnowledgeBaseSettings): Promise<StoredKnowledgeBase> {
    const base = await this.#one(
      `insert into ${TABLE} (name, file_ids, server) values ($1, $2::uuid[], $3::jsonb) returning ${COLUMNS}`,
      [name, arrayText(fileIds), server && this.#servers.stored(server)],
    )
    if (!base) throw new Error('The database returned no row for an inserted knowledge base.')
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

  /** Replaces what is given. Secrets that are not given anew stay while the server's address does. Rejects with an `ApiError` 422 where a secret cannot be sealed. */
  async update(
    id: string,
    { name, fileIds, server }: KnowledgeBaseSettings,
  ): Promise<StoredKnowledgeBase | undefined> {
    const changed = server && this.#servers.stored(server, await this.#storedServer(id))
    return await this.#one(
      `update ${TABLE} set name = coalesce($2, name), file_ids = coalesce($3::uuid[], file_ids),
         server = coalesce($4::jsonb, server), updated_at = now()
       where id = $1 returning ${COLUMNS}`,
      [id, name, fileIds && arrayText(fileIds), changed],
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

const arrayText = (ids: readonly string[]): string => `{${ids.join(',')}}`

function view({ id, org_id: orgId, name, file_ids: fileIds, server }: KnowledgeBaseRow): StoredKnowledgeBase {
  const shown = shownServer(server)
  if (shown) return { id, orgId, provider: 'custom-knowledge-base', server: shown }
  return { id, orgId, provider: 'canonical', ...(name !== null && { name }), fileIds }
}
