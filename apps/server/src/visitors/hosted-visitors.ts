import {
  LIST_LIMIT,
  type ListedVisitor,
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  type Visitor,
  VisitorError,
  type Visitors,
} from '@heyline/backend/stored-visitors'
import { z } from 'zod'
import { jsonOf, LONG_PATIENCE_MS, listedVisitor, rowsOf, storedVisitor } from './answer.js'
import { escaped, type HostedTable, hostedTable } from './hosted-table.js'
import { tooLarge } from './import-limit.js'

/** Where a read of rows that are ordered by slug begins, as PostgREST's parameters. */
export interface Position {
  slug: string
  /** Rows to leave out from there. */
  offset?: string
}

/** Behind a part that was read from `from`: rows of its last slug may go on, so that these are counted. */
export function positionBehind(part: { slug: string }[], from: Position): Position {
  const last = part.at(-1)?.slug
  if (last === undefined) return from
  const slug = `gte.${last}`
  const before = from.slug === slug ? Number(from.offset ?? 0) : 0
  return { slug, offset: String(before + part.filter((row) => row.slug === last).length) }
}

const COLUMNS = 'slug,name,system,first_message'

/** Rows of one read; a project may give fewer ("Max rows"), so that only an empty part is the end. */
const READ_ROWS = LIST_LIMIT
/** Rows of the reads that only look whether a list goes on, and by which slug. */
const LOOK_ROWS = 50
/** Rows of one read of an export: their prompts may be long. */
const EXPORT_ROWS = 200

/** Largest import, in bytes: it is one request, which is one transaction, and gateways end long or large ones. */
const IMPORT_LIMIT_BYTES = 10_000_000

const slugRows = rowsOf(z.object({ slug: z.string() }))
const listedRows = rowsOf(listedVisitor)
const rows = rowsOf(storedVisitor)

/** The visitors of a hosted Supabase project, over its REST wire. Only spec 3's four columns are assumed there. */
export function hostedVisitors({ url, secretKey }: HostedTable): Visitors {
  const call = hostedTable({ url, secretKey })
  const ask = async (query: Record<string, string>, init?: RequestInit): Promise<unknown> =>
    jsonOf(await call(`?${new URLSearchParams(query)}`, init), init)

  /**
   * Parts of the rows behind a slug, up to an empty one. Ordered by all that is read, since a slug may be there more than
   * once. This leaves rows without a slug out, which no page can show. `size`: rows of the next part, after so many.
   */
  async function* behind<Row extends { slug: string }>(
    { after, select, size }: { after: string; select: string; size: (read: number) => number },
    parse: (answer: unknown) => Row[],
  ): AsyncGenerator<Row[]> {
    let position: Position = { slug: `gt.${after}` }
    for (let read = 0; ; ) {
      const part = parse(await ask({ select, order: select, limit: String(size(read)), ...position }))
      if (part.length === 0) return
      yield part
      read += part.length
      position = positionBehind(part, position)
    }
  }
  let known: Promise<string[]> | undefined

  /** Exactly first, then without case, as the page reads (spec 5). */
  const find = async (slug: string): Promise<Visitor> => {
    for (const filter of [`eq.${slug}`, ...(slug.includes('*') ? [] : [`ilike.${escaped(slug)}`])]) {
      const [row] = rows(await ask({ select: COLUMNS, slug: filter, limit: '1' }))
      if (row) return row
    }
    throw VisitorError.notFound(slug)
  }
  const change = async (slug: string, init: RequestInit): Promise<Visitor> => {
    const current = await find(slug)
    const query = { select: COLUMNS, slug: `eq.${current.slug}` }
    const [row] = rows(await ask(query, { ...init, headers: { prefer: 'return=representation' } }))
    if (!row) throw VisitorError.notFound(slug)
    return row
  }
  const store = async (visitors: NewVisitor[]) => {
    for (const { listed } of visitors) refuseListed(listed)
    const body = JSON.stringify(visitors.map(rowOf))
    if (Buffer.byteLength(body) > IMPORT_LIMIT_BYTES)
      throw tooLarge(IMPORT_LIMIT_BYTES, 'split the file; each part is stored as a whole or not at all')
    await call('', { method: 'POST', body, headers: { prefer: 'return=minimal' } }, LONG_PATIENCE_MS)
  }

  return {
    keepsListed: false,
    async add(input) {
      const visitor = parseNewVisitor(input)
      const { slug, name } = visitor
      // The table's own key may tell cases apart, or be missing: pages do neither.
      const there = await find(slug).catch((error) => {
        if (error instanceof VisitorError && error.code === 'visitor_not_found') return undefined
        throw error
      })
      if (there) throw VisitorError.slugTaken(slug)
      await store([visitor])
      return { slug, name }
    },
    async list({ limit, after = '' }) {
      const most = Math.min(Math.max(limit, 1), LIST_LIMIT)
      const size = (read: number) => Math.max(most - read, LOOK_ROWS)
      const visitors: ListedVisitor[] = []
      for await (const part of behind({ after, select: 'slug,name', size }, listedRows))
        for (const row of part) {
          const last = visitors.at(-1)?.slug
          // The next list begins behind a slug: all rows of one are in the same.
          if (last !== undefined && visitors.length >= most && row.slug !== last)
            return { visitors, next: last }
          visitors.push(row)
        }
      return { visitors, next: null }
    },
    show: find,
    async update(slug, input) {
      const { name, system, firstMessage, listed, slug: moved } = parseVisitorChanges(input)
      refuseListed(listed)
      const texts = { system, first_message: firstMessage }
      const emptied = Object.entries(texts).map(([column, text]) => [column, text === '' ? null : text])
      const body = JSON.stringify({ slug: moved, name, ...Object.fromEntries(emptied) })
      return change(slug, { method: 'PATCH', body })
    },
    async remove(slug) {
      const { slug: removed, name } = await change(slug, { method: 'DELETE' })
      return { slug: removed, name }
    },
    export: () => behind({ after: '', select: COLUMNS, size: () => EXPORT_ROWS }, rows),
    taken: async (slugs) => {
      const wanted = new Set(slugs.map((slug) => slug.toLowerCase()))
      return (await allSlugs()).filter((slug) => wanted.has(slug.toLowerCase()))
    },
    async import(batches, { replace, onProgress } = {}) {
      if (replace)
        throw new VisitorError(
          'not_supported',
          '--replace works on our own table only: a hosted one is not known to have a key on slug',
        )
      const visitors: NewVisitor[] = []
      for await (const batch of batches) visitors.push(...batch)
      if (visitors.length > 0) await store(visitors)
      onProgress?.(visitors.length)
      return { added: visitors.length, replaced: 0 }
    },
  }

  /** Every slug, read once: the wire has no way to ask for many without case. */
  async function allSlugs(): Promise<string[]> {
    known ??= readSlugs()
    return await known
  }
  async function readSlugs(): Promise<string[]> {
    const slugs: string[] = []
    const parts = behind({ after: '', select: 'slug', size: () => READ_ROWS }, slugRows)
    for await (const part of parts) for (const { slug } of part) slugs.push(slug)
    return slugs
  }
}

const rowOf = ({ slug, name, system, firstMessage }: NewVisitor) => ({
  slug,
  name,
  system: system || null,
  first_message: firstMessage || null,
})

function refuseListed(listed: boolean | undefined) {
  if (listed)
    throw new VisitorError(
      'not_supported',
      'A hosted table is not known to have a column listed: leave it out, and set it there',
    )
}
