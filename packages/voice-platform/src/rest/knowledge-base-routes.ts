import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Knowledge } from '../knowledge/knowledge.js'
import {
  createKnowledgeBase,
  OTHER_PROVIDERS,
  updateKnowledgeBase,
} from '../knowledge/knowledge-base-schema.js'
import { ApiError } from '../resources/api-error.js'
import { listWindow } from '../resources/list-window.js'
import type { Doorkeeper } from './access.js'
import { parse, parseBody, resourceId } from './parse-request.js'

const listBases = z.strictObject(listWindow)
/** Which provider a body is of is told before anything else of it is looked at. */
const anyBody = z.looseObject({ provider: z.string().optional() })

export function serveKnowledgeBases(
  app: Hono,
  { knowledge, doorkeeper }: { knowledge: Knowledge; doorkeeper: Doorkeeper },
): void {
  const { bases } = knowledge
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  const bodyOf = async <Schema extends z.ZodType<{ fileIds?: string[] | undefined }>>(
    context: Context,
    schema: Schema,
  ): Promise<z.infer<Schema>> => {
    const given = await parseBody(context.req.raw, anyBody)
    const other = OTHER_PROVIDERS[given.provider ?? '']
    if (other !== undefined) throw ApiError.notServed(other)
    const body = parse(given, schema)
    const [missing] = await knowledge.missing(body.fileIds ?? [])
    if (missing !== undefined) throw new ApiError(400, `File ${missing} does not exist.`)
    return body
  }

  app.post('/knowledge-base', async (context) => {
    await admit(context)
    const { name, fileIds } = await bodyOf(context, createKnowledgeBase)
    return context.json(await bases.create({ name, fileIds }), 201)
  })
  app.get('/knowledge-base', async (context) => {
    await admit(context)
    return context.json(await bases.list(parse(context.req.query(), listBases)))
  })
  app.get('/knowledge-base/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await bases.get(id)))
  })
  app.patch('/knowledge-base/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    const { name, fileIds } = await bodyOf(context, updateKnowledgeBase)
    return context.json(existing(id, await bases.update(id, { name, fileIds })))
  })
  app.delete('/knowledge-base/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await bases.delete(id)))
  })
}

function existing<Found>(id: string, base: Found | undefined): Found {
  if (base === undefined) throw new ApiError(404, `Knowledge base ${id} does not exist.`)
  return base
}
