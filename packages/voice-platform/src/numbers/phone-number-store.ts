import type { Db, Queryable } from '@heyline/database'
import type { Page, PhoneNumber } from '@heyline/platform-client'
import { shownServer } from '../assistants/stored-servers.js'
import { ApiError } from '../resources/api-error.js'
import { type PageWindow, readPage } from '../resources/list-page.js'
import { type ListWindow, windowSql } from '../resources/list-window.js'

/** What is kept of a number beside its digits. No secret of its account is. */
export interface NumberSettings {
  /** `vapi`, the platform's own, where nobody was asked: a number of the simulated carrier. */
  provider?: 'twilio' | 'vapi'
  twilioAccountSid?: string
  name?: string | null | undefined
  assistantId?: string | null | undefined
  squadId?: string | null | undefined
  workflowId?: string | null | undefined
  /** As it is stored: see `StoredServers`. */
  server?: Record<string, unknown> | null | undefined
}

interface NumberRow {
  id: string
  org_id: string
  number: string
  settings: NumberSettings
  created_at: Date
  updated_at: Date
}

const TABLE = 'voice_platform.phone_numbers'
const COLUMNS =
  'id, (select org_id from voice_platform.settings) as org_id, number, settings, created_at, updated_at'

/** Most numbers of an installation. */
const MOST = 200

/** The numbers that calls are made from, and which of them calls where none is named. */
export class PhoneNumberStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Rejects with an `ApiError`, 400, where the number is stored already or there is no place for it. */
  create(number: string, settings: NumberSettings): Promise<PhoneNumber> {
    return this.#db.transaction(async (tx) => {
      const { rows } = await tx.query<{ count: number }>(`select count(*)::int as count from ${TABLE}`)
      if ((rows[0]?.count ?? 0) >= MOST)
        throw new ApiError(
          400,
          `There are ${MOST} phone numbers already, which is the most: delete one first.`,
        )
      const [made] = await all(
        tx,
        `insert into ${TABLE} (number, settings) values ($1, $2) on conflict (number) do nothing returning ${COLUMNS}`,
        [number, withoutNulls(settings)],
      )
      if (!made) throw new ApiError(400, 'This phone number is stored already: change it with PATCH.')
      return made
    })
  }

  /** Stores the number where it is not, with these settings besides those it has, and makes it the default. */
  makeDefault(number: string, settings: NumberSettings): Promise<PhoneNumber> {
    return this.#db.transaction(async (tx) => {
      const [made] = await all(
        tx,
        `insert into ${TABLE} (number, settings) values ($1, $2)
         on conflict (number) do update set settings = ${TABLE}.settings || excluded.settings returning ${COLUMNS}`,
        [number, withoutNulls(settings)],
      )
      if (!made) throw new Error('The database returned no row for a stored phone number.')
      await tx.query('update voice_platform.settings set default_phone_number_id = $1', [made.id])
      return made
    })
  }

  async get(id: string): Promise<PhoneNumber | undefined> {
    const [found] = await all(this.#db, `select ${COLUMNS} from ${TABLE} where id = $1`, [id])
    return found
  }

  /** The number's server as it is stored, with what is sealed; null where it has none. */
  async storedServer(id: string): Promise<unknown> {
    const { rows } = await this.#db.query<{ server: unknown }>(
      `select settings -> 'server' as server from ${TABLE} where id = $1`,
      [id],
    )
    return rows[0]?.server
  }

  /** Newest first. */
  list(window: ListWindow): Promise<PhoneNumber[]> {
    const { sql, parameters } = windowSql(window)
    return all(this.#db, `select ${COLUMNS} from ${TABLE} ${sql}`, parameters)
  }

  async page(window: PageWindow): Promise<Page<PhoneNumber>> {
    const page = await readPage<NumberRow>(this.#db, { table: TABLE, columns: COLUMNS, window })
    return { ...page, results: page.results.map(view) }
  }

  /** Changes what is given; null takes away. */
  async update(id: string, changes: NumberSettings): Promise<PhoneNumber | undefined> {
    const [changed] = await all(
      this.#db,
      `update ${TABLE} set settings = jsonb_strip_nulls(settings || $2::jsonb), updated_at = now()
       where id = $1 returning ${COLUMNS}`,
      [id, changes],
    )
    return changed
  }

  /** Rejects with an `ApiError`, 400, for the default: calls that name no number would have none. */
  async delete(id: string): Promise<PhoneNumber | undefined> {
    const [gone] = await all(
      this.#db,
      `delete from ${TABLE} where id = $1
         and not exists (select from voice_platform.settings where default_phone_number_id = $1) returning ${COLUMNS}`,
      [id],
    )
    if (!gone && (await this.get(id)))
      throw new ApiError(
        400,
        'This phone number is the default caller id: make another one the default first.',
      )
    return gone
  }

  /** The one that calls where none is named; undefined in an installation that never needed one. */
  async default(): Promise<PhoneNumber | undefined> {
    const [found] = await all(
      this.#db,
      `select ${COLUMNS} from ${TABLE} where id = (select default_phone_number_id from voice_platform.settings)`,
      [],
    )
    return found
  }

  /** Those of these numbers (E.164) that are none of ours: no call shows them. */
  async foreign(asked: readonly string[]): Promise<string[]> {
    if (asked.length === 0) return []
    const { rows } = await this.#db.query<{ number: string }>(
      `select number from ${TABLE} where number = any ($1::text[])`,
      [`{${asked.join(',')}}`],
    )
    const own = new Set(rows.map(({ number }) => number))
    return asked.filter((number) => !own.has(number))
  }
}

async function all(db: Queryable, sql: string, parameters: unknown[]): Promise<PhoneNumber[]> {
  const { rows } = await db.query<NumberRow>(sql, parameters)
  return rows.map(view)
}

const withoutNulls = (settings: NumberSettings) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== undefined))

/** `vapi` has no field for an account; `twilio` has its sid. */
function view({ id, org_id, number, settings, created_at, updated_at }: NumberRow): PhoneNumber {
  const { provider = 'vapi', twilioAccountSid = '', name, assistantId, squadId, workflowId } = settings
  const server = shownServer(settings.server)
  return {
    ...(provider === 'twilio' ? { provider, twilioAccountSid } : { provider }),
    number,
    ...(name && { name }),
    ...(assistantId && { assistantId }),
    ...(squadId && { squadId }),
    ...(workflowId && { workflowId }),
    ...(server && { server }),
    id,
    orgId: org_id,
    status: 'active',
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  }
}
