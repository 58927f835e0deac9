import type { Db, Queryable } from '@heyline/database'
import type { Logger } from 'pino'
import type { VisitorAccess } from '../access/visitor-access.js'
import { hiddenColumns } from '../access/visitor-texts.js'
import type { Caller, Role } from '../keys/caller.js'
import { answer, type Outcome } from './answer/answer.js'
import { errorAnswer } from './answer/error-answer.js'
import { parseRestRequest, type RestRequest } from './request/rest-request.js'
import { callStatement } from './sql/call-statement.js'
import { readStatement } from './sql/read-statement.js'
import { findRoutine } from './sql/routine.js'
import { enter, foundTable } from './sql/session.js'
import type { Table } from './sql/table.js'
import { writeStatement } from './sql/write-statement.js'

export interface RestOptions {
  db: Db
  /** Says who asks; rejects with a `RestError` where nobody does who may. */
  identify: (headers: Headers) => Promise<Caller>
  visitorAccess: VisitorAccess
  /** Whether the assistant's texts of the visitors are for the secret key alone. */
  hidesTexts: boolean
  logger: Logger
}

/**
 * PostgREST's wire over one schema, `public`: tables and views by GET, HEAD, POST (upserts, too), PATCH and DELETE, functions at
 * `/rpc/`; columns, aliases, casts, paths into JSON; every operator but full-text search, `not.`, `any`, `all`, trees of `and`
 * and `or`; order, limit, offset, Range; exact counts; one object. Refused with 400 PGRST127: embedding, aggregates, PUT,
 * full-text search, `missing=default`, order and limit on a write.
 * Postgres itself does permissions, types and JSON; each request is one transaction.
 */
export function createRest({ db, identify, visitorAccess, hidesTexts, logger }: RestOptions) {
  return async (request: Request, path: string): Promise<Response> => {
    let role: Role = 'anon'
    try {
      const caller = await identify(request.headers)
      role = caller.role
      const wanted = await parseRestRequest(request, path)
      return await db.transaction(async (tx) => {
        const table = wanted.action === 'call' ? null : wanted.name
        const keyed = wanted.action === 'insert'
        const found = await enter(tx, { caller, request, path, table, keyed, visitorAccess })
        const outcome =
          wanted.action === 'call'
            ? await call(tx, wanted)
            : await perform(
                tx,
                foundTable(wanted.name, found, hiddenColumns(wanted.name, role, hidesTexts)),
                wanted,
              )
        // Built here: an answer that cannot be given takes the change back.
        return answer(wanted, outcome)
      })
    } catch (error) {
      return errorAnswer(error, { request, role, logger })
    }
  }
}

type Call = Extract<RestRequest, { action: 'call' }>

async function perform(tx: Queryable, table: Table, wanted: Exclude<RestRequest, Call>): Promise<Outcome> {
  if (wanted.action === 'update' && wanted.payload.columns.length === 0)
    return { body: '[]', returned: 0, total: null }
  const prepared = wanted.action === 'read' && isVisitorLookup(wanted)
  const { sql, values } =
    wanted.action === 'read'
      ? readStatement(table, { ...wanted, counted: wanted.preferences.count !== undefined })
      : writeStatement(table, wanted, wanted)
  table.refuseHidden()
  const { rows } = await tx.query<Outcome>(sql, values, { prepared })
  return { total: null, ...(rows[0] ?? { body: null, returned: 0 }) }
}

async function call(tx: Queryable, wanted: Call): Promise<Outcome> {
  const routine = await findRoutine(tx, wanted.name, wanted.args)
  const counted = wanted.preferences.count !== undefined
  const { sql, values } = callStatement(wanted.name, routine, wanted.args, { ...wanted, counted })
  const { rows } = await tx.query<Outcome>(sql, values)
  const result = routine.kind === 'void' ? 'nothing' : routine.many ? 'list' : 'one'
  return { ...(rows[0] ?? { body: null, returned: 0, total: null }), result }
}

type Read = Extract<RestRequest, { action: 'read' }>

/** What the page selects: all, or slug and name where the server keeps the assistant's texts. */
const LOOKUP_SELECTIONS = ['*', 'slug,name']

/**
 * Whether it is one of the page's own reads, `visitors?select=*&slug=eq.…` or `ilike`: the statements that are kept prepared.
 * Any other shape is a request's own making: kept, they would crowd out these, or fill the memory of every session.
 */
export function isVisitorLookup({ name, selection, filters, order, head, preferences }: Read): boolean {
  const [filter] = filters
  if (name !== 'visitors' || head || preferences.count !== undefined || order.length > 0) return false
  if (!LOOKUP_SELECTIONS.includes(plainSelection(selection)) || filters.length !== 1) return false
  if (!filter || !('field' in filter)) return false
  const { field, operation } = filter
  if (field.column !== 'slug' || field.path.length > 0 || operation.negated) return false
  return (operation.operator === 'eq' || operation.operator === 'ilike') && operation.quantifier === undefined
}

/** A selection of whole columns under their own names, as an address has it; any other is written in a way that no address has. */
const plainSelection = (selection: Read['selection']): string =>
  selection
    .map((item) => {
      if (item === '*') return item
      const { field, name, cast } = item
      return name === field.column && field.path.length === 0 && cast === undefined ? name : '?'
    })
    .join(',')
