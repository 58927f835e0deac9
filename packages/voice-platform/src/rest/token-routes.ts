import type { Token } from '@heyline/platform-client'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { listWindow } from '../resources/list-window.js'
import { tokenBody } from '../tokens/token-schema.js'
import type { TokenStore } from '../tokens/token-store.js'
import type { Doorkeeper } from './access.js'
import { parse, parseBody, resourceId } from './parse-request.js'

const listTokens = z.strictObject(listWindow)

export function serveTokens(
  app: Hono,
  { tokens, doorkeeper }: { tokens: TokenStore; doorkeeper: Doorkeeper },
): void {
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')

  app.post('/token', async (context) => {
    await admit(context)
    return context.json(await tokens.create(await parseBody(context.req.raw, tokenBody)), 201)
  })
  app.get('/token', async (context) => {
    await admit(context)
    return context.json(await tokens.list(parse(context.req.query(), listTokens)))
  })
  app.get('/token/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await tokens.get(id)))
  })
  app.patch('/token/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await tokens.update(id, await parseBody(context.req.raw, tokenBody))))
  })
  app.delete('/token/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await tokens.delete(id)))
  })
}

function existing(id: string, token: Token | undefined): Token {
  if (!token) throw new ApiError(404, `Token ${id} does not exist.`)
  return token
}
