import type { Db, Queryable } from '@heyline/database'
import type { Logger } from 'pino'
import type { Caller, Role } from '../keys/caller.js'
import { answer, type Outcome } from './answer/answer.js'
import { errorAnswer } from './answer/error-answer.js'
import { parseRestRequest, type RestRequest } from './request/rest-request.js'
import { readStatement } from './sql/read-statement.js'
import { enter } from './sql/session.js'
import type { Table } from './sql/table.js'
import { writeStatement } from './sql/write-statement.js'

export interface RestOptions {
  db: Db
  /** Says who asks; rejects with a `RestError` where nobody does who may. */
  identify: (headers: Headers) => Promise<Caller>
  logger: Logger
}

/**
 * PostgREST's wire over one schema, `public`: GET, HEAD, POST, PATCH and DELETE of one table; columns, aliases and casts;
 * the filters eq neq gt gte lt lte like ilike is in, and `not.` of each; order, limit, offset, Range; exact counts; one object.
 * Refused with 400 PGRST127: embedding, aggregates, and/or trees, paths into JSON, rpc, upsert, PUT, every other operator,
 * and order or limit on a write. Postgres itself does permissions, types and JSON; each request is one transaction.
 */
export function createRest({ db, identify, logger }: RestOptions) {
  return async (request: Request, path: string): Promise<Response> => {
    let role: Role = 'anon'
    try {
      const caller = await identify(request.headers)
      role = caller.role
      const wanted = await parseRestRequest(request, path)
      return await db.transaction(async (tx) => {
        const table = await enter(tx, { caller, request, path, table: wanted.table })
        // Built here: an answer that cannot be given takes the change back.
        return answer(wanted, await perform(tx, table, wanted))
      })
    } catch (error) {
      return errorAnswer(error, { request, role, logger })
    }
  }
}

async function perform(tx: Queryable, table: Table, wanted: RestRequest): Promise<Outcome> {
  const { preferences, selection } = wanted
  const shown = preferences.return === 'representation'
  if (wanted.action === 'update' && wanted.payload.columns.length === 0)
    return { body: '[]', returned: 0, total: null }
  const { sql, values } =
    wanted.action === 'read'
      ? readStatement(table, { ...wanted, selection, counted: preferences.counted })
      : writeStatement(table, wanted, shown ? selection : null)
  const { rows } = await tx.query<Outcome>(sql, values)
  return { total: null, ...(rows[0] ?? { body: null, returned: 0 }) }
}
