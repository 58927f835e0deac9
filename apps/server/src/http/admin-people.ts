import { parsePerson } from '@heyline/call-desk'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { People } from '../people/people.js'
import { jsonLines } from '../visitors/json-lines.js'
import { bodyOf, limitedTo } from './admin-body.js'

const BODY_LIMIT = 10_000
const body = z.object({ number: z.string().optional(), visitor: z.string().optional() })

/** `/-/admin/person/…`. Who it is stands in bodies, never in an address. */
export function adminPeople(people: People): Hono {
  const app = new Hono()
  app.use('/person/*', limitedTo(BODY_LIMIT))
  app.post('/person/export', async (context) => {
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
    return new Response(jsonLines(people.export(await personOf(context))), { headers })
  })
  app.post('/person/erase', async (context) => context.json(await people.erase(await personOf(context))))
  return app
}

const personOf = async (context: Context) => parsePerson(await bodyOf(body, context))
