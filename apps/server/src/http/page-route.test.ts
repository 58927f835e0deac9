import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Page } from '../ends/page-end.js'
import { nobodysPageRoute, pageRoute } from './page-route.js'

const logger = pino({ level: 'silent' })
const page = (find: Page['find']): Page => ({
  find,
  slugOf: (pathname) => pathname.slice(1),
  stateOf: (visitor) => (visitor ? { kind: 'main', visitor } : { kind: 'not-found', reason: 'no-visitor' }),
  statusOf: (state) => (state.kind === 'not-found' ? 404 : 200),
  render: async (state) => state.kind,
})
const get = new Request('http://localhost/acme')

/** How a page comes to a client that takes these encodings. */
async function encodingOf(accepted: string) {
  const found = page(async (slug) => ({ slug, name: 'Acme', system: null, first_message: null }))
  const request = new Request('http://localhost/acme', { headers: { 'accept-encoding': accepted } })
  const answer = await pageRoute({ page: found, lookupWaitMs: 10_000, logger })(request)
  return answer.headers.get('content-encoding')
}

it('sends the loading state when a lookup is late, and calls the lookup off', async () => {
  let signal: AbortSignal | undefined
  const slow = page((_, given) => {
    signal = given
    return new Promise((_resolve, reject) => given?.addEventListener('abort', () => reject(given.reason)))
  })
  const answer = await pageRoute({ page: slow, lookupWaitMs: 1, logger })(get)
  expect([answer.status, await answer.text()]).toEqual([200, 'loading'])
  expect(signal?.aborted).toBe(true)
})

it('hands a late lookup on, which goes on after the answer', async () => {
  const kept: Promise<unknown>[] = []
  const read = Promise.resolve()
  const slow = page((_slug, _signal, keep) => {
    keep?.(read)
    return new Promise(() => {})
  })
  await pageRoute({ page: slow, lookupWaitMs: 1, logger })(get, (work) => kept.push(work))
  expect(kept).toEqual([read])
})

it('leaves a lookup that is in time alone', async () => {
  let signal: AbortSignal | undefined
  const quick = page(async (slug, given) => {
    signal = given
    return { slug, name: 'Acme', system: null, first_message: null }
  })
  const answer = await pageRoute({ page: quick, lookupWaitMs: 10_000, logger })(get)
  expect([answer.status, await answer.text()]).toEqual([200, 'main'])
  expect(signal?.aborted).toBe(false)
})

it.each([
  ['br, gzip', 'br'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0', null],
  ['*', 'br'],
  ['', null],
])('answers a client that takes "%s" in %s', async (accepted, encoding) => {
  expect(await encodingOf(accepted)).toBe(encoding)
})

it('looks at no list of encodings that is longer than 200 characters', async () => {
  expect(await encodingOf(`${'a,'.repeat(99)}br`)).toBe('br')
  expect(await encodingOf(`${'a,'.repeat(100)}br`)).toBe(null)
})

it('makes the screen of what does not exist once for each encoding, and answers every path with it', async () => {
  let rendered = 0
  const counted: Page = {
    ...page(() => Promise.reject(new Error('not looked up'))),
    render: async ({ kind }) => {
      rendered += 1
      return kind
    },
  }
  const route = nobodysPageRoute({ page: counted, policy: "default-src 'none'", logger })
  for (const slug of ['acme', 'other']) {
    const answer = await route(new Request(`http://localhost/${slug}`))
    expect([answer.status, await answer.text()]).toEqual([404, 'not-found'])
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
    answer.headers.set('retry-after', '1')
  }
  const headers = { 'accept-encoding': 'gzip' }
  const packed = await route(new Request('http://localhost/acme', { headers }))
  expect([packed.headers.get('content-encoding'), packed.headers.get('retry-after')]).toEqual(['gzip', null])
  const head = await route(new Request('http://localhost/acme', { method: 'HEAD', headers }))
  expect([head.status, await head.text(), head.headers.get('content-encoding')]).toEqual([404, '', 'gzip'])
  const refusal = { status: 429, headers: { 'retry-after': '2' } }
  const refused = await route(get, refusal)
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
    429,
    '2',
    'not-found',
  ])
  expect(refused.headers.get('content-security-policy')).toBe("default-src 'none'")
  const posted = await route(new Request('http://localhost/acme', { method: 'POST' }), refusal)
  expect([posted.status, await posted.text()]).toEqual([429, 'Only GET and HEAD here\n'])
  expect(rendered).toBe(2)
})
