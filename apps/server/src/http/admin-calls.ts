import {
  CALL_LIST_LIMIT,
  CALL_STATES,
  type CallOffice,
  type CallState,
  DO_NOT_CALL_LIMIT,
} from '@heyline/call-desk'
import { Hono } from 'hono'
import { z } from 'zod'
import { jsonLines } from '../visitors/json-lines.js'
import { bodyOf, limitedTo, parsed } from './admin-body.js'
import { livingLines } from './living-lines.js'

/** Longest body about one request or a few numbers, and about a file of numbers, in bytes. */
const BODY_LIMIT = 100_000
const IMPORT_LIMIT = 50_000_000

const limit = (most: number) => z.coerce.number().int().min(1).max(most).catch(most)
const query = z.object({
  limit: limit(CALL_LIST_LIMIT),
  after: z.string().optional(),
  state: z.enum(CALL_STATES as [CallState, ...CallState[]]).optional(),
  slug: z.string().optional(),
  since: z.iso.datetime().optional(),
})
const slugBody = z.object({ slug: z.string() })
const numberBody = z.object({ number: z.string() })
const numbersBody = z.object({ numbers: z.array(z.string()) })
const listBody = z.object({ limit: limit(DO_NOT_CALL_LIMIT), after: z.string().optional() })

const LINES = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }

/** `/-/admin/calls…` and `/-/admin/dnc…`. Numbers travel in bodies, never in an address. */
export function adminCalls(calls: CallOffice): Hono {
  const app = new Hono()
  const small = limitedTo(BODY_LIMIT)

  app.get('/calls', async (context) => context.json(await calls.list(parsed(query, context.req.query()))))
  app.get('/call', async (context) => context.json(await calls.show(context.req.query('id') ?? '')))
  app.get('/calls/export', () => new Response(jsonLines(calls.export()), { headers: LINES }))
  app.get('/calls/changes', () => {
    const left = new AbortController()
    return new Response(livingLines(calls.follow(left.signal), left), { headers: LINES })
  })
  app.get('/calls/status', async (context) => context.json(await calls.status()))
  app.post('/calls/pause', async (context) => context.json(await calls.pause()))
  app.post('/calls/resume', async (context) => context.json(await calls.resume()))
  app.post('/calls/reset', small, async (context) =>
    context.json(await calls.resetSlug((await bodyOf(slugBody, context)).slug)),
  )

  const { doNotCall } = calls
  app.post('/dnc/add', small, async (context) =>
    context.json(await doNotCall.add((await bodyOf(numbersBody, context)).numbers)),
  )
  app.post('/dnc/remove', small, async (context) =>
    context.json(await doNotCall.remove((await bodyOf(numberBody, context)).number)),
  )
  app.post('/dnc/list', small, async (context) =>
    context.json(await doNotCall.list(await bodyOf(listBody, context))),
  )
  app.post('/dnc/import', limitedTo(IMPORT_LIMIT), async (context) =>
    context.json(await doNotCall.import((await bodyOf(numbersBody, context)).numbers)),
  )
  return app
}
