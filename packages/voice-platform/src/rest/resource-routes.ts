import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import type { Author } from '../resources/author.js'
import { type FoundBy, foundBy } from '../resources/found-by.js'
import { pageWindow } from '../resources/list-page.js'
import { type Equal, listWindow } from '../resources/list-window.js'
import type { Resource, ResourceStore } from '../resources/resource-store.js'
import type { Doorkeeper } from './access.js'
import { parse, parseBody, resourceId } from './parse-request.js'

const object = z.record(z.string(), z.unknown())

/** Most resources of a list that is stored at once: on PGlite everybody else waits meanwhile. */
const MOST_AT_ONCE = 100

/** Queries that a list can be narrowed by, and the SQL of what each is compared with, or with something made `of` it. It may not unpack rows' settings. */
export type Filters = Readonly<Record<string, string | { sql: string; of(value: string): string }>>

export interface ServedFamily {
  /** Its paths, which may name the family that each lies in: `test-suite/:testSuiteId/test`. */
  path: string
  /** How errors name one of it. */
  title: string
  store: ResourceStore
  /** Checks whole settings; a change is checked together with what is stored. */
  settings: z.ZodType<Record<string, unknown>>
  /** Checks a change by itself where it may have other fields than what is created. */
  change?: z.ZodType<Record<string, unknown>>
  /** What a new one has beside what is given. */
  initial?: Readonly<Record<string, unknown>>
  /** A plain list at its path unless this says that it is in pages, or where a second one in pages is. */
  paged?: 'instead' | 'paginated'
  filters?: Filters
  /** More plain lists, by the last segment of their paths. */
  lists?: Readonly<Record<string, Equal>>
  /** The family that each lies in, which takes it along when it is deleted. */
  within?: { parameter: FoundBy; title: string; store: ResourceStore }
  /** Checks what the schema cannot know, of a new one, or of one that is changed, whose id it is told; rejects with an `ApiError`. */
  check?(settings: Record<string, unknown>, changedId?: string): Promise<void>
  /** Checks what a member below admin may not set. It is told what was stored before. Throws an `ApiError` 403. */
  checkMember?(change: Record<string, unknown>, before?: Record<string, unknown>): void
  /** Where a list may be created, too: stores all of it or none. Rejects with an `ApiError`. */
  createAll?(all: readonly Record<string, unknown>[]): Promise<Resource[]>
  /** Before one is created within another, whose id it is told. Answers what is done once it is stored. Rejects with an `ApiError`. */
  creating?(outerId: string): Promise<(made: Resource) => void>
  /** Before they are read. */
  reading?(): Promise<void>
  /** What goes with one that is deleted. */
  deleted?(id: string): Promise<void>
}

/** Create, list, read, change and delete, for families that are stored as they come. */
export function serveResources(app: Hono, families: readonly ServedFamily[], doorkeeper: Doorkeeper): void {
  for (const family of families) serveFamily(app, family, doorkeeper)
}

const listOf = (settings: ServedFamily['settings']) =>
  z.array(settings).refine(({ length }) => length > 0 && length <= MOST_AT_ONCE, {
    error: `must be a list of 1 to ${MOST_AT_ONCE}`,
  })

function serveFamily(app: Hono, family: ServedFamily, doorkeeper: Doorkeeper): void {
  const { path, title, store, settings, change: changes = object, within, filters = {}, paged } = family
  const query = Object.fromEntries(Object.keys(filters).map((name) => [name, z.string().optional()]))
  const list = z.strictObject({ ...listWindow, ...query })
  const page = z.strictObject({ ...pageWindow, ...query })

  /** The id of what it lies in, which must exist. */
  const admit = async (context: Context): Promise<Record<string, string>> => {
    await doorkeeper.admit(context.req.raw, 'private')
    if (context.req.method === 'GET') await family.reading?.()
    if (!within) return {}
    const { parameter } = within
    const id = parse({ [parameter]: context.req.param(parameter) }, z.record(z.string(), z.uuid()))[parameter]
    if (id === undefined || !(await within.store.get(id)))
      throw new ApiError(404, `${within.title} ${id} does not exist.`)
    return { [parameter]: id.toLowerCase() }
  }
  const existing = (id: string, resource: Resource | undefined, outer: Record<string, string>): Resource => {
    if (!resource || Object.entries(outer).some(([name, value]) => resource[name] !== value))
      throw new ApiError(404, `${title} ${id} does not exist.`)
    return resource
  }
  const equal = (asked: Record<string, unknown>, outer: Record<string, string>): Equal => ({
    ...(within && { [foundBy(within.parameter)]: outer[within.parameter] }),
    ...Object.fromEntries(
      Object.entries(filters).map(([name, filter]) => {
        const value = z.string().optional().parse(asked[name])
        if (typeof filter === 'string') return [filter, value]
        return [filter.sql, value === undefined ? undefined : filter.of(value)]
      }),
    ),
  })

  const authorOf = (context: Context): Author =>
    doorkeeper.isBelowAdmin(context.req.raw) ? 'member' : 'admin'
  const checkNew = async (context: Context, body: Record<string, unknown>): Promise<void> => {
    if (doorkeeper.isBelowAdmin(context.req.raw)) family.checkMember?.(body)
    await family.check?.(body)
  }
  const { createAll } = family
  app.post(`/${path}`, async (context) => {
    const outer = await admit(context)
    const given = await parseBody(context.req.raw, createAll ? z.unknown() : settings)
    if (createAll && Array.isArray(given)) {
      const all = parse(given, listOf(settings)).map((body) => ({ ...family.initial, ...body }))
      await doorkeeper.takeTurn(context.req.raw)
      for (const body of all) await checkNew(context, body)
      return context.json((await createAll(all))[0], 201)
    }
    const body = { ...family.initial, ...parse(given, settings) }
    await doorkeeper.takeTurn(context.req.raw)
    await checkNew(context, body)
    const begin = await family.creating?.(Object.values(outer)[0] ?? '')
    const made = await store.create({ ...body, ...outer }, authorOf(context))
    begin?.(made)
    return context.json(made, 201)
  })
  app.get(`/${path}`, async (context) => {
    const outer = await admit(context)
    if (paged === 'instead') {
      const window = parse(context.req.query(), page)
      return context.json(await store.page(window, equal(window, outer)))
    }
    const window = parse(context.req.query(), list)
    return context.json(await store.list(window, equal(window, outer)))
  })
  if (paged === 'paginated')
    app.get(`/${path}/paginated`, async (context) => {
      const outer = await admit(context)
      const window = parse(context.req.query(), page)
      return context.json(await store.page(window, equal(window, outer)))
    })
  for (const [name, chosen] of Object.entries(family.lists ?? {}))
    app.get(`/${path}/${name}`, async (context) => {
      await admit(context)
      return context.json(await store.list(parse(context.req.query(), list), chosen))
    })
  app.get(`/${path}/:id`, async (context) => {
    const outer = await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await store.get(id), outer))
  })
  app.patch(`/${path}/:id`, async (context) => {
    const outer = await admit(context)
    const id = resourceId(context)
    const change = await parseBody(context.req.raw, changes)
    await doorkeeper.takeTurn(context.req.raw)
    const { id: _, orgId, createdAt, updatedAt, ...stored } = existing(id, await store.get(id), outer)
    for (const name of ['type', 'provider'])
      if (change[name] !== undefined && change[name] !== stored[name])
        throw new ApiError(400, `${name} cannot be changed.`)
    if (doorkeeper.isBelowAdmin(context.req.raw)) family.checkMember?.(change, stored)
    const whole = { ...stored, ...change }
    const checked = family.change ? whole : parse(whole, settings)
    await family.check?.(checked, id)
    return context.json(existing(id, await store.update(id, change, authorOf(context)), outer))
  })
  app.delete(`/${path}/:id`, async (context) => {
    const outer = await admit(context)
    const id = resourceId(context)
    existing(id, await store.get(id), outer)
    const gone = existing(id, await store.delete(id), outer)
    await family.deleted?.(gone.id)
    return context.json(gone)
  })
}
