import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Handlers } from '../handlers/handlers.js'
import { eachOperation } from '../operations/operations.js'
import { BodyTurns } from './body-turns.js'
import { ChangeTurns } from './change-turns.js'
import { OfficeAccess, type OfficeAccessOptions } from './office-access.js'
import { officeDocument } from './office-document.js'
import { officeRoute } from './office-route.js'
import { OfficeTurns } from './office-turns.js'
import { refusalOf } from './refusals.js'

export interface OfficeOptions extends Omit<OfficeAccessOptions, 'clock'> {
  handlers: Handlers
  /** Where the audit is. */
  db: Pick<Db, 'kind' | 'query' | 'exec'>
  version: string
  clock?: Pick<Clock, 'now'>
}

/** Of an answer that nobody reads. */
const CLIENT_GONE = 499

/** The operator API, below `/-/office`: for the command, the console, and operators' own tools. No CORS. */
export function createOffice({
  handlers,
  db,
  version,
  clock = systemClock,
  ...access
}: OfficeOptions): OpenAPIHono {
  const app = new OpenAPIHono()
  const parts = {
    db,
    access: new OfficeAccess({ ...access, clock }),
    turns: new OfficeTurns(db.kind),
    changes: new ChangeTurns(db.kind),
    bodies: new BodyTurns(),
  }
  app.use(async (context, next) => {
    await next()
    context.header('cache-control', 'no-store')
    context.header('vary', 'Cookie')
  })
  for (const { noun, verb, operation } of eachOperation()) {
    const handler = Reflect.get(Reflect.get(handlers, noun), verb)
    app.on(operation.method, operation.path, officeRoute({ operation, handler, ...parts }))
  }
  officeDocument(app, version)
  app.all('*', (context) =>
    context.json({ code: 'not_found', message: 'Nothing is served here: see /-/office/openapi.json' }, 404),
  )
  app.onError((error, context) => {
    if (context.req.raw.signal.aborted && isOfLeaving(error))
      return new Response(null, { status: CLIENT_GONE })
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const { status, waitSeconds, ...said } = refusal
    if (waitSeconds !== undefined) context.header('retry-after', String(waitSeconds))
    return context.json(said, status)
  })
  return app
}

/** Whether it says no more than that the client has gone away, or was cut off while it sent its body. */
const isOfLeaving = (error: Error): boolean =>
  error.name === 'AbortError' || Reflect.get(error, 'code') === 'ECONNRESET'
