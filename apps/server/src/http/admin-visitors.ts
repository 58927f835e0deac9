import {
  LIST_LIMIT,
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  REPLACEABLE,
  type ReplaceableColumn,
  VisitorError,
  type Visitors,
} from '@heyline/backend'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { limited } from '../visitors/import-limit.js'
import { jsonLines, readJsonLines } from '../visitors/json-lines.js'

/** Longest body of a request about one visitor or a list of slugs, in bytes, and line of an import: a visitor with a long prompt. */
const BODY_LIMIT = 1_000_000

const limit = z.coerce.number().int().min(1).max(LIST_LIMIT).catch(LIST_LIMIT)
const slugs = z.array(z.string()).max(10_000)
const replaceable = z.array(z.enum(REPLACEABLE))

/** `/-/admin/visitors` and `/-/admin/visitor?slug=…` (a query, because a stored slug may be any). */
export function adminVisitors(visitors: Visitors): Hono {
  const app = new Hono()
  const small = bodyLimit({ maxSize: BODY_LIMIT })

  app.get('/visitors', async (context) =>
    context.json(
      await visitors.list({
        limit: limit.parse(context.req.query('limit')),
        after: context.req.query('after'),
      }),
    ),
  )
  app.post('/visitors', small, async (context) =>
    context.json(await visitors.add(parseNewVisitor(await bodyOf(context))), 201),
  )
  app.get('/visitors/export', () => {
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
    return new Response(jsonLines(visitors.export()), { headers })
  })
  app.post('/visitors/taken', small, async (context) => {
    const asked = slugs.safeParse(await bodyOf(context))
    if (!asked.success) throw new VisitorError('invalid_visitor', 'Not a list of slugs')
    return context.json(await visitors.taken(asked.data))
  })
  app.post('/visitors/import', async (context) => {
    const batches = await readBatches(context.req.raw.body)
    return context.json(await visitors.import(each(batches), { replace: replaceOf(context) }))
  })

  app.get('/visitor', async (context) => context.json(await visitors.show(slugOf(context))))
  app.patch('/visitor', small, async (context) =>
    context.json(await visitors.update(slugOf(context), parseVisitorChanges(await bodyOf(context)))),
  )
  app.delete('/visitor', async (context) => context.json(await visitors.remove(slugOf(context))))
  return app
}

const bodyOf = (context: Context): Promise<unknown> => context.req.json().catch(() => undefined)

function slugOf(context: Context): string {
  const slug = context.req.query('slug')
  if (!slug) throw new VisitorError('invalid_visitor', 'Which visitor? Give its slug')
  return slug
}

/** `?replace=name,system`: undefined where nothing may be replaced. */
function replaceOf(context: Context): ReplaceableColumn[] | undefined {
  const columns = context.req.query('replace')
  if (columns === undefined) return undefined
  const parsed = replaceable.safeParse(columns.split(',').filter((column) => column !== ''))
  if (parsed.success) return parsed.data
  throw new VisitorError('invalid_visitor', `Only ${REPLACEABLE.join(', ')} can be replaced`)
}

/** All of it before anything is stored: while a transaction is open, everybody else waits for the database. */
async function readBatches(body: ReadableStream<Uint8Array> | null): Promise<NewVisitor[][]> {
  const batches: NewVisitor[][] = []
  if (!body) return batches
  try {
    for await (const values of readJsonLines(limited(body), BODY_LIMIT))
      batches.push(values.map(parseNewVisitor))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new VisitorError('invalid_visitor', 'A line of the import is not JSON', { cause: error })
  }
  return batches
}

async function* each<Value>(values: Value[]): AsyncGenerator<Value> {
  yield* values
}
