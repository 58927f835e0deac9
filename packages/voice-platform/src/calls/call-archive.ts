import type { Db } from '@heyline/database'
import type { Page } from '@heyline/platform-client'
import { ApiError } from '../resources/api-error.js'
import { type PageWindow, readPage } from '../resources/list-page.js'
import {
  type Condition,
  type Equal,
  type ListWindow,
  unseenNumber,
  windowSql,
} from '../resources/list-window.js'
import { CALL_COLUMNS, type CallRow, type ListedCallRow } from './call-row.js'

const TABLE = 'voice_platform.calls'

/** Says whether a call that is shown has changed since. Null: what is shown is of this moment alone. */
const VERSION_COLUMN = `case when status = 'ended'
  and not exists (select from voice_platform.recordings r where r.call_id = calls.id) then xmin::text end as version`
const KEY_COLUMNS = `id, ${VERSION_COLUMN}`

/** Names a call, and what it looks like now. */
export interface CallKey {
  id: string
  version: string | null
}

export interface CallFilter extends ListWindow {
  id?: string | undefined
  assistantId?: string | undefined
  squadId?: string | undefined
  workflowId?: string | undefined
  phoneNumberId?: string | undefined
}

/** Fields of the customer that a list can be narrowed by, beside the number. One index has them all. */
const CUSTOMER_FIELDS = ['extension', 'sipUri', 'name', 'email', 'externalId'] as const

export interface CallPageFilter
  extends CallFilter,
    PageWindow,
    Partial<Record<(typeof CUSTOMER_FIELDS)[number], string | undefined>> {
  idAny?: string[] | undefined
  endedReason?: string | undefined
  number?: string | undefined
  successEvaluation?: string | undefined
  /** US dollars, as are the two others. */
  cost?: number | undefined
  costGe?: number | undefined
  costLe?: number | undefined
  /** What the customer's own overrides must have in them. */
  assistantOverrides?: Record<string, unknown> | undefined
}

/** Reads, names and deletes calls for the REST API, whichever process runs them. */
export class CallArchive {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Rejects with an `ApiError` 404. */
  async get(id: string): Promise<CallRow> {
    return existing(id, await this.#one(`select ${CALL_COLUMNS} from ${TABLE} where id = $1`, [id]))
  }

  /** Which calls a list has, newest first. */
  async keys(filter: CallFilter): Promise<CallKey[]> {
    const prepared = isKept(filter)
    const { sql, parameters } = windowSql(filter, equal(filter), prepared ? unseenNumber : undefined)
    const { rows } = await this.#db.query<CallKey>(
      `select ${KEY_COLUMNS} from ${TABLE} where id = any (array(select id from ${TABLE} ${sql})) order by created_at desc, id`,
      parameters,
      { prepared },
    )
    return rows
  }

  /** Which calls a page has. */
  pageOfKeys(filter: CallPageFilter): Promise<Page<CallKey>> {
    return this.#page(filter, KEY_COLUMNS)
  }

  /** The calls of a page, with `columns` of a `ListedCallRow`. */
  pageOfRows(filter: CallPageFilter, columns: string): Promise<Page<ListedCallRow & CallKey>> {
    return this.#page(filter, `${columns}, ${VERSION_COLUMN}`)
  }

  /** These calls, in any order, with `columns` of a `ListedCallRow`. Those that are deleted are left out. */
  async rows(ids: readonly string[], columns: string): Promise<(ListedCallRow & CallKey)[]> {
    if (ids.length === 0) return []
    const { rows } = await this.#db.query<ListedCallRow & CallKey>(
      `select ${columns}, ${VERSION_COLUMN} from ${TABLE}
       where id = any (array(select jsonb_array_elements_text($1::jsonb)::uuid))`,
      [ids],
      { prepared: true },
    )
    return rows
  }

  #page<Row extends object>(filter: CallPageFilter, columns: string): Promise<Page<Row>> {
    return readPage<Row>(this.#db, {
      table: TABLE,
      columns,
      window: filter,
      total: 'select coalesce(sum(calls), 0)::int as total from voice_platform.call_counts',
      isKept: isKept(filter),
      isUnordered: byCustomer(filter) !== undefined,
      ...conditionsOf(filter),
    })
  }

  /** Rejects with an `ApiError` 404. */
  async rename(id: string, name: string | undefined): Promise<CallRow> {
    const row = await this.#one(
      `update ${TABLE} set name = coalesce($2, name), updated_at = now() where id = $1 returning ${CALL_COLUMNS}`,
      [id, name],
    )
    return existing(id, row)
  }

  /** Resolves with the deleted call. Rejects with an `ApiError`: 404, or 400 while the call goes on, as its record is still to come. */
  async delete(id: string): Promise<CallRow> {
    const row = await this.#one(
      `delete from ${TABLE} where id = $1 and status = 'ended' returning ${CALL_COLUMNS}`,
      [id],
    )
    if (row) return row
    await this.get(id)
    throw new ApiError(400, `Call ${id} has not ended yet.`)
  }

  async #one(sql: string, parameters: unknown[]): Promise<CallRow | undefined> {
    const { rows } = await this.#db.query<CallRow>(sql, parameters)
    return rows[0]
  }
}

/** By these an index finds a list's calls, whatever the value, and in their order where it is none of the customer's but the number. */
const INDEXED = new Set<string>([
  ...['id', 'assistantId', 'squadId', 'workflowId', 'phoneNumberId', 'endedReason', 'number'],
  ...CUSTOMER_FIELDS,
])
const WINDOW = new Set(['limit', 'page', 'sortOrder'])

/** Narrowed by one of these at most, lists have few statements, and one plan is good for all values. */
function isKept(filter: CallFilter): boolean {
  const by = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || WINDOW.has(name) ? [] : [name],
  )
  return by.length <= 1 && by.every((name) => INDEXED.has(name))
}

/** Calls of a short page. */
const SHORT_PAGE = 25

/** Whether it is a short page of one customer's calls: hardly one of them was shown lately, so that they are better read at once. */
export const isOfCustomer = (filter: CallPageFilter): boolean =>
  filter.limit <= SHORT_PAGE && (filter.number !== undefined || byCustomer(filter) !== undefined)

/** What a page asks of the customer, but the number; undefined where that is nothing. */
function byCustomer(filter: Omit<CallPageFilter, 'limit'>): Record<string, unknown> | undefined {
  const asked = Object.fromEntries(
    [
      ...CUSTOMER_FIELDS.map((name) => [name, filter[name]] as const),
      ['assistantOverrides', filter.assistantOverrides] as const,
    ].filter(([, value]) => value !== undefined),
  )
  return Object.keys(asked).length > 0 ? asked : undefined
}

/** SQL of all that a page of calls is narrowed by, but its times. */
export function conditionsOf(filter: Omit<CallPageFilter, 'limit'>): { equal: Equal; also: Condition[] } {
  const { successEvaluation, cost, costGe, costLe } = filter
  const figure = (comparison: string) => (parameter: string) =>
    `calls.id in (select f.call_id from voice_platform.call_figures f where f.${comparison} ${parameter})`
  return {
    equal: {
      ...equal(filter),
      'calls.id': filter.idAny,
      ended_reason: filter.endedReason,
      "customer ->> 'number'": filter.number,
    },
    also: [
      [
        // Their ids first: otherwise Postgres may look for the customer in all calls, newest first, as no statistics tell it how few there are. So it need
        // not see before it plans who is looked for (`unseenNumber`).
        (parameter) =>
          `calls.id = any (array(select its.id from ${TABLE} its where its.customer @> (select ${parameter}::jsonb)))`,
        byCustomer(filter),
      ],
      [figure('success ='), successEvaluation],
      [figure('cost ='), cost],
      [figure('cost >='), costGe],
      [figure('cost <='), costLe],
    ],
  }
}

const equal = ({ id, assistantId, squadId, workflowId, phoneNumberId }: Omit<CallFilter, 'limit'>) => ({
  id,
  assistant_id: assistantId,
  squad_id: squadId,
  workflow_id: workflowId,
  phone_number_id: phoneNumberId,
})

function existing(id: string, row: CallRow | undefined): CallRow {
  if (!row) throw new ApiError(404, `Call ${id} does not exist.`)
  return row
}
