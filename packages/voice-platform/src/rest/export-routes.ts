import type { Db } from '@heyline/database'
import { type Leave, WaitingLine } from '@heyline/kit/waiting-line'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { exportOf } from '../calls/call-export.js'
import { exportCalls } from '../calls/export-request.js'
import type { RecordingUrls } from '../recording/recording-url.js'
import { ApiError } from '../resources/api-error.js'
import type { Doorkeeper } from './access.js'
import { parse } from './parse-request.js'
import { textStream } from './text-stream.js'

export interface ExportRoutes {
  db: Db
  /** Signs the addresses of recordings. */
  recordingUrls?: RecordingUrls | undefined
  doorkeeper: Doorkeeper
  logger: Logger
}

/** Exports that run at once. */
const AT_ONCE = 4
const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** `GET /v2/call/export`: the calls as one file. A part of it is read when the client takes it. */
export function serveExport(app: Hono, { db, recordingUrls, doorkeeper, logger }: ExportRoutes): void {
  const line = new WaitingLine({ atOnce: AT_ONCE })
  /** A turn at once, or an `ApiError` 503. */
  const enter = (request: Request): Leave => {
    const leaveMembers = doorkeeper.tryExport(request)
    if (!leaveMembers) throw tooMany('An export of yours, or two of other members,')
    const leave = line.tryEnter()
    if (leave)
      return () => {
        leave()
        leaveMembers()
      }
    leaveMembers()
    throw tooMany(`${AT_ONCE} exports`)
  }

  app.get('/v2/call/export', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const idAny = context.req.queries('idAny')
    const columns = context.req.queries('columns')
    const wanted = parse(
      { ...context.req.query(), ...(idAny && { idAny }), ...(columns && { columns }) },
      exportCalls,
    )
    if (wanted.async === 'true')
      throw ApiError.notServed(
        'Exports in the background are not served by the built-in voice platform: ask with async=false, and the answer is the file.',
      )
    const headers = {
      'content-type': TYPES[wanted.format],
      'content-disposition': `attachment; filename="calls.${wanted.format}"`,
      'cache-control': 'no-store',
    }
    // Nobody would read or cancel its body.
    if (context.req.raw.method === 'HEAD') return new Response(null, { headers })
    const leave = enter(context.req.raw)
    const parts = doorkeeper.inTurns(context.req.raw, exportOf(db, wanted, recordingUrls))
    // What fails before the first calls is an answer of its own.
    const begun = await firstOf(parts).catch((error: unknown) => {
      leave()
      throw error
    })
    const failed = (err: unknown) => logger.error({ err }, 'an export of calls broke off')
    return new Response(textStream(fileOf(begun, parts), { failed, ended: leave }), { headers })
  })
}

const tooMany = (running: string) =>
  new ApiError(503, `${running} run already. Try again when one has ended.`, {
    retryAfterSeconds: 10,
  })

/** The header, and the first calls. */
async function firstOf(parts: AsyncGenerator<string>): Promise<string> {
  const header = await parts.next()
  const calls = await parts.next()
  return `${header.value ?? ''}${calls.value ?? ''}`
}

async function* fileOf(begun: string, parts: AsyncGenerator<string>): AsyncGenerator<string, void> {
  yield begun
  yield* parts
}
