import { parsePerson, RecordsError } from '@heyline/call-desk'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { People } from '../people/people.js'
import { jsonLines } from '../visitors/json-lines.js'

const BODY_LIMIT = 10_000
const body = z.object({ number: z.string().optional(), visitor: z.string().optional() })

/** `/-/admin/person/…`. Who it is stands in bodies, never in an address. */
export function adminPeople(people: People): Hono {
  const app = new Hono()
  app.use('/person/*', bodyLimit({ maxSize: BODY_LIMIT }))
  app.post('/person/export', async (context) => {
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
    return new Response(jsonLines(people.export(await personOf(context))), { headers })
  })
  app.post('/person/erase', async (context) => context.json(await people.erase(await personOf(context))))
  return app
}

async function personOf(context: Context) {
  const parsed = body.safeParse(await context.req.json().catch(() => undefined))
  if (!parsed.success) throw new RecordsError('invalid_request', 'The body can not be read')
  return parsePerson(parsed.data)
}
