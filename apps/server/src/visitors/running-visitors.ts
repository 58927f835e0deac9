import {
  type ImportOptions,
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  VisitorError,
  type VisitorErrorCode,
  type Visitors,
} from '@heyline/backend'
import { z } from 'zod'
import {
  answerOf,
  jsonOf,
  LONG_PATIENCE_MS,
  listedVisitors,
  partsOf,
  type Request,
  refusalOf,
  storedVisitor,
  visitorPage,
} from './answer.js'
import { limited } from './import-limit.js'
import { jsonLines, readJsonLines } from './json-lines.js'

const importReport = z.object({ added: z.number(), replaced: z.number() })

/** What a server says by these codes, it says for us; all else means that it can't be used. */
const PASSED_ON: readonly string[] = [
  'invalid_visitor',
  'invalid_slug',
  'invalid_name',
  'slug_taken',
  'visitor_not_found',
  'too_large',
  'not_supported',
] satisfies VisitorErrorCode[]

/** The visitors of a running server, through `/-/admin`. `keepsListed`: whether its table has that column. */
export function runningVisitors(serverUrl: string, secretKey: string): Visitors {
  const answered = async (path: string, init: Request = {}, patienceMs?: number): Promise<Response> => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const answer = await answerOf(`${serverUrl}/-/admin${path}`, { ...init, headers }, patienceMs)
    if (answer.ok) return answer
    const { code, message } = await refusalOf(answer)
    throw new VisitorError(isPassedOn(code) ? code : 'visitors_unreachable', message)
  }
  const call = async (path: string, init?: Request, patienceMs?: number): Promise<unknown> =>
    jsonOf(await answered(path, init, patienceMs), init)
  const one = (slug: string) => `/visitor?${new URLSearchParams({ slug })}`

  return {
    keepsListed: true,
    async add(input) {
      const visitor = parseNewVisitor(input)
      await call('/visitors', { method: 'POST', body: JSON.stringify(visitor) })
      return { slug: visitor.slug, name: visitor.name }
    },
    async list({ limit, after }) {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) })
      return visitorPage.parse(await call(`/visitors?${query}`))
    },
    show: async (slug) => storedVisitor.parse(await call(one(slug))),
    update: async (slug, changes) =>
      storedVisitor.parse(
        await call(one(slug), { method: 'PATCH', body: JSON.stringify(parseVisitorChanges(changes)) }),
      ),
    remove: async (slug) => {
      const [removed] = listedVisitors.parse([await call(one(slug), { method: 'DELETE' })])
      return removed ?? { slug, name: '' }
    },
    async *export() {
      const { body } = await answered('/visitors/export', {}, LONG_PATIENCE_MS)
      if (!body) return
      for await (const rows of partsOf(readJsonLines(body))) yield z.array(storedVisitor).parse(rows)
    },
    taken: async (slugs) =>
      z
        .array(z.string())
        .parse(await call('/visitors/taken', { method: 'POST', body: JSON.stringify(slugs), reads: true })),
    async import(batches, { replace, onProgress }: ImportOptions = {}) {
      const query = replace ? `?${new URLSearchParams({ replace: replace.join(',') })}` : ''
      const body = limited(jsonLines(counted(batches, onProgress)))
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
      return importReport.parse(await call(`/visitors/import${query}`, init, LONG_PATIENCE_MS))
    },
  }
}

const isPassedOn = (code: string): code is VisitorErrorCode => PASSED_ON.includes(code)

/** Tells how many have been handed on. */
async function* counted(batches: AsyncIterable<NewVisitor[]>, onProgress?: (stored: number) => void) {
  let handed = 0
  for await (const batch of batches) {
    yield batch
    handed += batch.length
    onProgress?.(handed)
  }
}
