import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { hostedVisitorSearch } from './hosted-visitor-search.js'
import { hostedVisitors } from './hosted-visitors.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

const visitorsAt = (url: string) => hostedVisitors({ url, secretKey: 'sb_secret_x' })

/** A table without a key on slug, of a project whose "Max rows" is smaller than any part we ask for. */
const SLUGS = ['a', 'b', 'b', 'b', 'b', 'b', 'b', 'b', 'c', 'd', 'd', 'e']
const ROWS = SLUGS.map((slug, index) => ({
  slug,
  name: `Name ${String(index).padStart(2, '0')}`,
  system: null,
  first_message: null,
}))
const MAX_ROWS = 3
const project = () =>
  standIn((request, response) => {
    const query = new URL(request.url ?? '/', 'http://x').searchParams
    const [, operator, edge = ''] = /^(gte?)\.(.*)$/.exec(query.get('slug') ?? '') ?? []
    const offset = Number(query.get('offset') ?? 0)
    const behind = ROWS.filter(({ slug }) => slug > edge || (operator === 'gte' && slug === edge))
    const limit = Math.min(Number(query.get('limit')), MAX_ROWS)
    response.end(JSON.stringify(behind.slice(offset, offset + limit)))
  })

describe('a project that gives few rows at once, with slugs that are there more than once', () => {
  it('is exported to its end, each row once', async () => {
    const exported = []
    for await (const part of visitorsAt(await project()).export()) exported.push(...part)
    expect(exported).toEqual(ROWS)
  })

  it.each([1, 2, 5, 1000])('is listed to its end, %i at a time, each row once', async (limit) => {
    const visitors = visitorsAt(await project())
    const listed = []
    let after: string | undefined
    do {
      const page = await visitors.list({ limit, after })
      listed.push(...page.visitors)
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(listed.map(({ name }) => name)).toEqual(ROWS.map(({ name }) => name))
  })

  it('says which slugs are taken, to its end', async () => {
    expect(new Set(await visitorsAt(await project()).taken(['E', 'd', 'x']))).toEqual(new Set(['d', 'e']))
  })
})

describe('a search', () => {
  const query = { sort: 'slug', isDescending: false, limit: 2 } as const
  const search = async (answer: RequestListener) =>
    hostedVisitorSearch({ url: await standIn(answer), secretKey: 'sb_secret_x' })

  /** As PostgREST has it: who leaves out more than there is, and has it counted, is refused. */
  const postgrest: RequestListener = (request, response) => {
    const asked = new URL(request.url ?? '/', 'http://x').searchParams
    if (asked.get('system') === 'is.null') return response.end('[]')
    const offset = Number(asked.get('offset'))
    const page = ROWS.slice(offset, offset + Number(asked.get('limit')))
    const range = page.length > 0 ? `${offset}-${offset + page.length - 1}` : '*'
    response.setHeader('content-range', `${range}/${ROWS.length}`)
    if (offset <= ROWS.length) return response.end(JSON.stringify(page))
    const details = `An offset of ${offset} was requested, but there are only ${ROWS.length} rows.`
    return response
      .writeHead(416)
      .end(
        JSON.stringify({ code: 'PGRST103', details, hint: null, message: 'Requested range not satisfiable' }),
      )
  }

  it('shows a page, and how many there are', async () => {
    expect(await (await search(postgrest))({ ...query, offset: 10 })).toEqual({
      visitors: [
        { slug: 'd', name: 'Name 10', hasPrompt: true },
        { slug: 'e', name: 'Name 11', hasPrompt: true },
      ],
      total: 12,
      isMore: false,
    })
  })

  it.each([12, 13, 50_000])('finds nothing behind the end, and counts all the same: %i', async (offset) => {
    expect(await (await search(postgrest))({ ...query, offset })).toEqual({
      visitors: [],
      total: 12,
      isMore: false,
    })
  })

  it('says what else the table refuses', async () => {
    const refusing = await search((_request, response) =>
      response.writeHead(400).end(JSON.stringify({ code: '42703', message: 'column does not exist' })),
    )
    await expect(refusing({ ...query, offset: 0 })).rejects.toThrow('column does not exist')
  })
})

describe('a connection that breaks', () => {
  const NEW = { slug: 'new', name: 'New' }
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'it was answered',
      (error: Error) => error.message,
    )

  it('when a visitor was sent, leaves unknown whether it was stored', async () => {
    const url = await standIn((request, response) => {
      if (request.method === 'GET') response.end('[]')
      else request.socket.destroy()
    })
    expect(await failure(visitorsAt(url).add(NEW))).toMatch(
      /^No answer came: whether it was stored is unknown/,
    )
  })

  it('within the answer to a change, leaves it unknown, too', async () => {
    const row = { ...NEW, system: null, first_message: null }
    const url = await standIn((request, response) => {
      if (request.method === 'GET') response.end(JSON.stringify([row]))
      else response.writeHead(200, { 'content-length': '100' }).write('[', () => request.socket.destroy())
    })
    expect(await failure(visitorsAt(url).update('new', { name: 'X' }))).toMatch(/is unknown/)
  })

  it('when nothing was to be stored or nothing could be sent, says so', async () => {
    const breaking = await standIn((request) => request.socket.destroy())
    expect(await failure(visitorsAt(breaking).show('x'))).toBe(`${breaking} can't be reached`)
    const nowhere = await standIn(() => {})
    const closed = servers.pop()
    await new Promise((resolve) => closed?.close(resolve))
    const importing = visitorsAt(nowhere).import(
      (async function* () {
        yield [NEW]
      })(),
    )
    expect(await failure(importing)).toBe(`${nowhere} can't be reached`)
  })
})
