import type { Db, Queryable } from '@heyline/database'
import { type Place, SOMEWHERE } from '@heyline/kit/fair-line'
import type { Logger } from 'pino'
import type { VisitorAccess } from '../access/visitor-access.js'
import { hiddenColumns } from '../access/visitor-texts.js'
import type { Caller, Role } from '../keys/caller.js'
import { answerTooLarge, checkAnonymous, checkUrl, isAnonymous, sizesOf } from './anonymous/limits.js'
import { AnonymousLine } from './anonymous/line.js'
import { answer, type Outcome } from './answer/answer.js'
import { errorAnswer } from './answer/error-answer.js'
import { parseRestRequest, type RestRequest, refuseLong } from './request/rest-request.js'
import { callStatement } from './sql/call-statement.js'
import { readStatement } from './sql/read-statement.js'
import { findRoutine } from './sql/routine.js'
import { enter, foundTable } from './sql/session.js'
import { type Bounds, TOO_LARGE } from './sql/statement.js'
import type { Table } from './sql/table.js'
import { writeStatement } from './sql/write-statement.js'
import { BY_INDEX, isVisitorList, isVisitorLookup, withSpelling } from './visitor-reads.js'

export interface RestOptions {
  db: Db
  /** Says who asks; rejects with a `RestError` where nobody does who may. */
  identify: (headers: Headers) => Promise<Caller>
  visitorAccess: VisitorAccess
  /** Where a request is from; all are from one place where it is left out. */
  placeOf?: ((request: Request) => Place) | undefined
  /** Longest that a statement of an anonymous request may run, in ms; `ANONYMOUS_PATIENCE_MS` where it is left out. */
  anonymousPatienceMs?: number | undefined
  /** Whether the assistant's texts of the visitors are for the secret key alone. */
  hidesTexts: boolean
  logger: Logger
}

/** Of an answer that nobody reads: the request was given up. */
const CLIENT_GONE = 499

/**
 * PostgREST's wire over one schema, `public`: tables and views by GET, HEAD, POST (upserts, too), PATCH and DELETE, functions at
 * `/rpc/`; columns, aliases, casts, paths into JSON; every operator but full-text search, `not.`, `any`, `all`, trees of `and`
 * and `or`; order, limit, offset, Range; exact counts; one object. Refused with 400 PGRST127: embedding, aggregates, PUT,
 * full-text search, `missing=default`, order and limit on a write.
 * Postgres itself does permissions, types and JSON; each request is one transaction. Without the secret key it has to be cheap
 * (`checkAnonymous`) and waits in a line of its own, unless it is one of the page's reads.
 */
export function createRest({
  db,
  identify,
  visitorAccess,
  hidesTexts,
  placeOf = () => SOMEWHERE,
  anonymousPatienceMs,
  logger,
}: RestOptions) {
  const line = new AnonymousLine(db, anonymousPatienceMs)
  return async (request: Request, path: string): Promise<Response> => {
    let role: Role = 'anon'
    try {
      const caller = await identify(request.headers)
      role = caller.role
      const sizes = sizesOf(role)
      refuseLong(request.url)
      if (isAnonymous(role)) checkUrl(request.url)
      const asked = await parseRestRequest(request, path, sizes.body)
      if (isAnonymous(role)) checkAnonymous(asked)
      const isLookup = isVisitorLookup(asked)
      const isList = isAnonymous(role) && isVisitorList(asked)
      const waits = isAnonymous(role) && !isLookup && !isList
      const bounds = {
        // A lookup finds one row, which needs no measuring.
        answerBytes: isLookup ? Number.POSITIVE_INFINITY : sizes.answerBytes,
        withinMs: waits ? line.withinMs : Number.POSITIVE_INFINITY,
      }
      const run = async (tx: Queryable) => {
        // Nobody waits for an answer any more: whoever cuts connections keeps nobody from the database.
        request.signal.throwIfAborted()
        const wanted = isLookup ? await withSpelling(tx, asked) : asked
        const table = wanted.action === 'call' ? null : wanted.name
        const keyed = wanted.action === 'insert'
        const found = await enter(tx, { caller, request, path, table, keyed, visitorAccess })
        if (isList) await tx.query(BY_INDEX, [], { prepared: true })
        const outcome =
          wanted.action === 'call'
            ? await call(tx, wanted, bounds)
            : await perform(
                tx,
                foundTable(wanted.name, found, hiddenColumns(wanted.name, role, hidesTexts)),
                wanted,
                { ...bounds, prepared: isLookup },
              )
        if (outcome.body === TOO_LARGE) throw answerTooLarge()
        // Built here: an answer that cannot be given takes the change back.
        return answer(wanted, outcome)
      }
      return waits ? await line.transaction(placeOf(request), run) : await db.transaction(run)
    } catch (error) {
      if (request.signal.aborted && error === request.signal.reason)
        return new Response(null, { status: CLIENT_GONE })
      return errorAnswer(error, { request, role, logger })
    }
  }
}

type Call = Extract<RestRequest, { action: 'call' }>

async function perform(
  tx: Queryable,
  table: Table,
  wanted: Exclude<RestRequest, Call>,
  { prepared, ...bounds }: Bounds & { prepared: boolean },
): Promise<Outcome> {
  if (wanted.action === 'update' && wanted.payload.columns.length === 0)
    return { body: '[]', returned: 0, total: null }
  const { sql, values } =
    wanted.action === 'read'
      ? readStatement(table, { ...wanted, counted: wanted.preferences.count !== undefined, ...bounds })
      : writeStatement(table, wanted, { ...wanted, ...bounds })
  table.refuseHidden()
  const { rows } = await tx.query<Outcome>(sql, values, { prepared })
  return { total: null, ...(rows[0] ?? { body: null, returned: 0 }) }
}

async function call(tx: Queryable, wanted: Call, bounds: Bounds): Promise<Outcome> {
  const routine = await findRoutine(tx, wanted.name, wanted.args)
  const counted = wanted.preferences.count !== undefined
  const { sql, values } = callStatement(wanted.name, routine, wanted.args, {
    ...wanted,
    counted,
    ...bounds,
  })
  const { rows } = await tx.query<Outcome>(sql, values)
  const result = routine.kind === 'void' ? 'nothing' : routine.many ? 'list' : 'one'
  return { ...(rows[0] ?? { body: null, returned: 0, total: null }), result }
}
