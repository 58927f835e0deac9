import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { listWindow } from '../resources/list-window.js'
import type { Resource, ResourceStore } from '../resources/resource-store.js'
import type { Doorkeeper } from './access.js'
import { parse, parseBody, resourceId } from './parse-request.js'

const list = z.strictObject(listWindow)
const object = z.record(z.string(), z.unknown())

export interface ServedFamily {
  /** The first segment of its paths. */
  path: string
  /** How errors name one of it. */
  title: string
  store: ResourceStore
  /** Checks whole settings; a change is checked together with what is stored. */
  settings: z.ZodType<Record<string, unknown>>
  /** Checks what the schema cannot know; rejects with an `ApiError`. */
  check?(settings: Record<string, unknown>): Promise<void>
}

/** Create, list, read, change and delete, for families that are stored as they come. */
export function serveResources(app: Hono, families: readonly ServedFamily[], doorkeeper: Doorkeeper): void {
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  for (const { path, title, store, settings, check } of families) {
    const existing = (id: string, resource: Resource | undefined): Resource => {
      if (!resource) throw new ApiError(404, `${title} ${id} does not exist.`)
      return resource
    }
    app.post(`/${path}`, async (context) => {
      await admit(context)
      const body = await parseBody(context.req.raw, settings)
      await check?.(body)
      return context.json(await store.create(body), 201)
    })
    app.get(`/${path}`, async (context) => {
      await admit(context)
      return context.json(await store.list(parse(context.req.query(), list)))
    })
    app.get(`/${path}/:id`, async (context) => {
      await admit(context)
      const id = resourceId(context)
      return context.json(existing(id, await store.get(id)))
    })
    app.patch(`/${path}/:id`, async (context) => {
      await admit(context)
      const id = resourceId(context)
      const change = await parseBody(context.req.raw, object)
      const { id: _, orgId, createdAt, updatedAt, ...stored } = existing(id, await store.get(id))
      if (change.type !== undefined && change.type !== stored.type)
        throw new ApiError(400, 'type cannot be changed.')
      await check?.(parse({ ...stored, ...change }, settings))
      return context.json(existing(id, await store.update(id, change)))
    })
    app.delete(`/${path}/:id`, async (context) => {
      await admit(context)
      const id = resourceId(context)
      return context.json(existing(id, await store.delete(id)))
    })
  }
}
