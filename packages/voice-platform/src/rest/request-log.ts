import type { Clock } from '@heyline/kit/clock'
import type { Context, Hono } from 'hono'
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
      callId: callOf(context),
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

function callOf(context: Context): string | undefined {
  const [resource, id = ''] = segmentsOf(context)
  return resource === 'call' && isCallId(id) ? id : undefined
}
