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
  const given = async (context: Context): Promise<z.infer<typeof anyBody>> => {
    const body = await parseBody(context.req.raw, anyBody)
    const other = OTHER_PROVIDERS[body.provider ?? '']
    if (other !== undefined) throw ApiError.notServed(other)
    return body
  }
  const check = async (
    context: Context,
    { fileIds = [], server }: { fileIds?: string[] | undefined; server?: unknown },
  ): Promise<void> => {
    if (server !== undefined && doorkeeper.isBelowAdmin(context.req.raw))
      throw new ApiError(
        403,
        'The server of a knowledge base is told what is said in calls: only an admin may set it.',
      )
    const [missing] = await knowledge.missing(fileIds)
    if (missing !== undefined) throw new ApiError(400, `File ${missing} does not exist.`)
  }

  app.post('/knowledge-base', async (context) => {
    await admit(context)
    const { provider: _, ...settings } = parse(await given(context), createKnowledgeBase)
    await doorkeeper.takeTurn(context.req.raw)
    await check(context, settings)
    return context.json(await bases.create(settings), 201)
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
    const body = await given(context)
    await doorkeeper.takeTurn(context.req.raw)
    const { provider } = existing(id, await bases.get(id))
    if (body.provider !== undefined && body.provider !== provider)
      throw new ApiError(400, 'provider cannot be changed.')
    const { provider: _, ...settings } = parse(body, updateKnowledgeBase[provider])
    await check(context, settings)
    return context.json(existing(id, await bases.update(id, settings)))
  })
  app.delete('/knowledge-base/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    await doorkeeper.takeTurn(context.req.raw)
    return context.json(existing(id, await bases.delete(id)))
  })
}

function existing<Found>(id: string, base: Found | undefined): Found {
  if (base === undefined) throw new ApiError(404, `Knowledge base ${id} does not exist.`)
  return base
}
