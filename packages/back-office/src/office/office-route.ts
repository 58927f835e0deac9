import type { Queryable } from '@heyline/database'
import type { Handler } from 'hono'
import type { Asked } from '../access/asked.js'
import { NOTHING_CHANGED, writeAudit, writeRepeated } from '../audit/audit.js'
import { changedNothing } from '../audit/changed-nothing.js'
import { NO_LINE, StoredPartsLine } from '../audit/parts-line.js'
import { isRead, isSearch, type Operation } from '../operations/operation.js'
import { OperatorsError } from '../operators/operators-error.js'
import { reaches } from '../operators/role.js'
import type { BodyTurns, HeldBytes } from './body-turns.js'
import type { ChangeTurns } from './change-turns.js'
import { type Holder, heldBody } from './held-body.js'
import { readInput } from './input.js'
import type { OfficeAccess } from './office-access.js'
import type { OfficeTurns } from './office-turns.js'
import { isExport, responseOf } from './output.js'

export interface OfficeRouteOptions {
  operation: Operation
  /** Its types are gone here: the table has checked them, and the schema checks the input. */
  handler: (input: Record<string, unknown>, asked: Asked) => unknown
  /** Where the audit is. */
  db: Queryable
  access: Pick<OfficeAccess, 'enter'>
  turns: Pick<OfficeTurns, 'export' | 'read'>
  changes: Pick<ChangeTurns, 'run'>
  bodies: Pick<BodyTurns, 'run'>
}

/** Serves one operation: who asks, what with, what comes back, and the line of the audit. */
export function officeRoute({
  operation,
  handler,
  db,
  access,
  turns,
  changes,
  bodies,
}: OfficeRouteOptions): Handler {
  const { audit, isRepeatable = false, notes = [], answer } = operation
  const write = isRepeatable || isExport(answer) ? writeRepeated : writeAudit
  const hasBody = (operation.body ?? operation.bodyLines) !== undefined
  // Strangers' bodies are bounded at the edge, and take no operator's room here.
  const isCounted = hasBody && operation.role !== 'anyone'
  return async (context) => {
    const cookies: string[] = []
    const give = (cookie: string) => {
      cookies.push(cookie)
      // A refusal takes it along, too.
      context.header('set-cookie', cookie, { append: true })
    }
    const entered = await access.enter(context.req.raw, operation, give)
    // It would run what GET does, a whole backup, for a body that nobody reads.
    if (context.req.method === 'HEAD') return context.body(null, 405)
    const left = new AbortController()
    const { signal } = context.req.raw
    const leave = () => left.abort()
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    const check = async () => refuseLesser(entered, await access.enter(context.req.raw, operation, () => {}))
    const checkThen = async <Done>(work: () => Promise<Done>) => {
      await check()
      return await work()
    }
    const known = { ...entered, check, left: left.signal }
    const line = audit === undefined ? undefined : new StoredPartsLine(db, known.actor, audit)
    const asked: Asked = {
      ...known,
      readMuch: (read) => turns.read(known, undefined, isRead(operation) ? read : () => checkThen(read)),
      changeMany: (change) => changes.run(known, (inTurn) => change(inTurn, line ?? NO_LINE)),
    }
    const work = async (held?: HeldBytes) => {
      const input = await readInput(context, operation, held)
      // A body may take minutes: whoever was taken out meanwhile changes nothing more.
      if (hasBody && !isRead(operation)) await check()
      const answered = async () => {
        const handled = async () => await handler(input, asked)
        const given = isSearch(operation) ? await turns.read(asked, input.limit, handled) : await handled()
        // Nor is what was read in a late turn shown to them. That turn is over: the auth wire may be slow to answer.
        if (isRead(operation) && answer.kind === 'json') await check()
        if (audit && line) {
          const detail = Object.fromEntries(
            notes.map((name) => [name, Reflect.get(Object(given), name) ?? null]),
          )
          if (changedNothing(given, detail)) {
            await line.drop()
            await writeRepeated(db, asked.actor, audit, { ...detail, ...NOTHING_CHANGED })
          } else if (!(await line.finish(detail))) await write(db, asked.actor, audit, detail)
        }
        return responseOf(answer, given, { check, left })
      }
      if (isExport(answer)) {
        const turn = await turns.export(asked)
        return await exported(() => checkThen(answered), { ...turn, left: left.signal, check })
      }
      return await answered()
    }
    const response = isCounted ? await bodies.run(asked, operation, work) : await work()
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    return response
  }
}

/** What an answer shows follows the role that asked for it: whoever has a lesser one by now gets no more of it. */
function refuseLesser(before: Pick<Asked, 'operator'>, now: Pick<Asked, 'operator'>): void {
  if (!before.operator) return
  if (!now.operator || !reaches(now.operator.role, before.operator.role))
    throw new OperatorsError('forbidden', 'Your role has changed meanwhile: ask again')
}

/** An export whose turn has come, and ends with its body. */
async function exported(answered: () => Promise<Response>, holder: Holder): Promise<Response> {
  try {
    holder.left.throwIfAborted()
    const response = await answered()
    if (!response.body) throw new TypeError('An export has a body')
    return new Response(heldBody(response.body, holder), response)
  } catch (error) {
    holder.leave()
    throw error
  }
}
