import type { Clock } from '@heyline/kit/clock'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { LogEntry } from '../logs/log-entry.js'
import type { PlatformLog } from '../logs/platform-log.js'
import { isCallId } from '../resources/call-id.js'
import type { Doorkeeper } from './access.js'
import { pathInApi } from './api-path.js'

export interface RequestLog {
  log: PlatformLog
  clock: Clock
  doorkeeper: Doorkeeper
}

/** Writes down who changed something with the private key, and what was refused. What is only read is not written down. */
export function logRequests(app: Hono, { log, clock, doorkeeper }: RequestLog): void {
  app.use(async (context, next) => {
    const at = clock.now()
    const began = clock.monotonic()
    await next()
    const { status } = context.res
    const { method } = context.req
    if (!doorkeeper.isPrivate(context.req.raw) || (['GET', 'HEAD'].includes(method) && status < 400)) return
    log.add({
      ...{ at, type: 'API', method, status, path: pathOf(context) },
      resource: resourceOf(context),
      seconds: Math.round(clock.monotonic() - began) / 1000,
      ...namedBy(context),
      ...(await madeBy(context)),
    })
  })
}

/** As it was sent: what is encoded in it may be nothing that a database holds. */
const sentPath = (context: Context): string => pathInApi(new URL(context.req.url).pathname)

/** Of the path that the route saw. */
const segmentsOf = (context: Context): string[] =>
  context.req.path.split('/').filter((segment) => segment !== 'v2' && segment !== '')

/** Whoever writes a telephone number into a path finds none in the log. */
const pathOf = (context: Context): string =>
  sentPath(context).replace(/(?<=\/)(?:\+|%2B)?\d[\d().%-]{5,}(?=\/|$)/gi, '…')

const resourceOf = (context: Context): string | undefined => segmentsOf(context)[0]?.slice(0, 40)

/** What entries are chosen by. */
type Named = Pick<LogEntry, 'callId' | 'assistantId' | 'phoneNumberId' | 'squadId'>

/** How an entry names one of a resource. */
const NAMES: ReadonlyMap<string, keyof Named> = new Map([
  ['call', 'callId'],
  ['assistant', 'assistantId'],
  ['phone-number', 'phoneNumberId'],
  ['squad', 'squadId'],
])

/** What the path names, whether it exists or not. */
function namedBy(context: Context): Named {
  const [resource = '', id = ''] = segmentsOf(context)
  const name = NAMES.get(resource)
  return name !== undefined && isCallId(id) ? { [name]: id } : {}
}

const uuid = z.uuid().nullish()
const made = z.object({ id: z.uuid(), assistantId: uuid, phoneNumberId: uuid, squadId: uuid })

/** What was made, as the answer names it, and what that belongs to. */
async function madeBy(context: Context): Promise<Named> {
  const name = NAMES.get(segmentsOf(context)[0] ?? '')
  const { req, res } = context
  if (req.method !== 'POST' || res.status !== 201 || name === undefined) return {}
  const { id, ...others } = made.parse(await res.clone().json())
  return { ...others, [name]: id }
}
