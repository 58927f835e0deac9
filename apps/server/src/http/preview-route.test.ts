import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Page } from '../ends/page-end.js'
import { previewRoute } from './preview-route.js'

const names: Record<string, string> = { ada: 'Ada', 'a/b': 'Slash', default: 'there' }
const page: Pick<Page, 'find' | 'slugOf'> = {
  slugOf: (pathname) => (pathname === '/%00' ? undefined : decodeURIComponent(pathname.slice(1))),
  async find(slug) {
    if (slug === 'broken') throw new Error('the backend is away')
    const name = names[slug]
    return name === undefined ? null : { slug, name, system: null, first_message: null }
  },
}
const route = (draw = async (name: string) => new TextEncoder().encode(`picture of ${name}`)) =>
  previewRoute({
    page,
    previews: { draw, version: (name) => `v-${name}` },
    logger: pino({ level: 'silent' }),
  })
const get = (path: string, init?: RequestInit, answer = route()) =>
  answer(new Request(`http://localhost${path}`, init))

describe('the picture of a shared link', () => {
  it('is of the name that the visitor has now', async () => {
    const answer = await get('/ada.png?v=v-Ada')
    expect([answer.status, await answer.text()]).toEqual([200, 'picture of Ada'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '14',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    expect(await (await get('/a%2Fb.png')).text()).toBe('picture of Slash')
  })

  it('is kept for a week by the address of its name, and for minutes by any other', async () => {
    const age = async (path: string) => (await get(path)).headers.get('cache-control')
    expect(await age('/ada.png?v=v-Ada')).toBe('public, max-age=604800')
    expect(await age('/ada.png?v=v-Former')).toBe('public, max-age=300')
    expect(await age('/ada.png')).toBe('public, max-age=300')
  })

  it('is not sent again to who has it', async () => {
    const etag = (await get('/ada.png')).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get('/ada.png?v=v-Ada', { headers: { 'if-none-match': known } })
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=604800')
    }
    expect((await get('/ada.png', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('has a HEAD, and nothing else', async () => {
    const head = await get('/ada.png', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '14'])
    expect((await get('/ada.png', { method: 'POST' })).status).toBe(405)
  })

  it.each(['/nobody.png', '/ada', '/ada.svg', '/.png', '/', '/ada/more.png', '/%00.png'])(
    'does not exist at %s',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
    },
  )

  it('can be asked for again when the lookup or the drawing failed', async () => {
    const noInk = route(async () => {
      throw new Error('no ink')
    })
    for (const answer of [await get('/broken.png'), await get('/ada.png', {}, noInk)]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('is tried once, and its failure logged once, however many ask', async () => {
    let drawn = 0
    const lines: string[] = []
    const answer = previewRoute({
      page,
      previews: {
        version: (name) => name,
        async draw() {
          drawn++
          throw new Error('no ink')
        },
      },
      logger: pino({}, { write: (line) => lines.push(line) }),
    })
    const together = await Promise.all([get('/ada.png', {}, answer), get('/ada.png', {}, answer)])
    const later = await get('/ada.png', {}, answer)
    for (const { status, headers } of [...together, later])
      expect([status, headers.get('retry-after')]).toEqual([503, '60'])
    expect([drawn, lines.length]).toEqual([1, 1])
    expect(lines[0]).toContain('no ink')
  })

  it('is refused to a flood', async () => {
    const many: Pick<Page, 'find' | 'slugOf'> = {
      slugOf: (pathname) => pathname.slice(1),
      find: async (slug) => ({ slug, name: slug, system: null, first_message: null }),
    }
    let finish = () => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const draw = async () => {
      await gate
      return new Uint8Array(1)
    }
    const answer = previewRoute({
      page: many,
      previews: { draw, version: (name) => name },
      logger: pino({ level: 'silent' }),
    })
    const answers = Array.from({ length: 200 }, (_, place) => get(`/visitor-${place}.png`, {}, answer))
    await new Promise(setImmediate)
    finish()
    const statuses = (await Promise.all(answers)).map(({ status, headers }) => [
      status,
      headers.get('retry-after'),
    ])
    expect(statuses.filter(([status]) => status === 200).length).toBe(52)
    expect(statuses.filter(([status, retry]) => status === 503 && retry === '5').length).toBe(148)
  })
})
