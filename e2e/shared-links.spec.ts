import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { HostedBackend, rows } from './hosted-backend.js'
import { RunningHeyline } from './running-heyline.js'

const WAIT_MS = 15_000

/** The tags that networks read, by property or name; asked again while a busy machine answers with the loading state. */
async function tagsOf(request: APIRequestContext, url: string): Promise<Record<string, string>> {
  let html = ''
  await expect(async () => {
    html = await (await request.get(url)).text()
    expect(html).not.toContain('<title>Loading...</title>')
  }).toPass({ timeout: WAIT_MS })
  const tags = [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)]
  return Object.fromEntries(tags.map(([, name, content]) => [name, content]))
}

/** Shows a picture in a document of another site, as a network does, and returns its size. */
async function shown(page: Page, src: string): Promise<[number, number]> {
  await page.goto(`http://127.0.0.1:${new URL(src).port}/-/health`)
  return page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  }, src)
}

test.describe('a shared link', () => {
  let heyline: RunningHeyline
  test.beforeAll(async ({ servers }) => {
    heyline = await servers.server()
  })

  test('is described to who runs no JavaScript', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await expect(async () => {
      await page.goto(`${heyline.url}/riverside-dental`)
      await expect(page).toHaveTitle('Demo for Riverside Dental', { timeout: 500 })
    }).toPass({ timeout: WAIT_MS })
    const content = (tag: string) => page.locator(`meta[${tag}]`).getAttribute('content')
    expect(await content('property="og:title"')).toBe('Demo for Riverside Dental')
    expect(await content('property="og:description"')).toMatch(/^Riverside Dental, try a voice assistant/)
    expect(await content('property="og:url"')).toBe(`${heyline.url}/riverside-dental`)
    expect(await content('name="twitter:card"')).toBe('summary_large_image')
    expect(await content('name="robots"')).toBe('noindex')
    await context.close()
  })

  test('has a picture that other sites can show', async ({ page, request }) => {
    const tags = await tagsOf(request, `${heyline.url}/riverside-dental`)
    const address = tags['og:image'] ?? ''
    expect(address).toMatch(`${heyline.url}/-/previews/riverside-dental.png?v=`)
    expect([tags['og:image:width'], tags['og:image:height']]).toEqual(['1200', '630'])
    expect(await shown(page, address)).toEqual([1200, 630])

    const answer = await request.get(address)
    const { etag = '', ...headers } = answer.headers()
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=604800',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    })
    expect((await answer.body()).length).toBeLessThan(60_000)
    expect((await request.get(address, { headers: { 'if-none-match': etag } })).status()).toBe(304)
    expect((await request.head(address)).status()).toBe(200)
  })

  test('is the root for the slug default, and as stored for a slug in other case', async ({ request }) => {
    const root = await tagsOf(request, heyline.url)
    expect(root['og:url']).toBe(`${heyline.url}/`)
    expect(root['og:image']).toMatch(`${heyline.url}/-/previews/default.png?v=`)
    const other = await tagsOf(request, `${heyline.url}/RIVERSIDE-Dental/more`)
    expect(other['og:url']).toBe(`${heyline.url}/riverside-dental`)
    const picture = async (slug: string) =>
      (await request.get(`${heyline.url}/-/previews/${slug}.png`)).body()
    expect(await picture('RIVERSIDE-Dental')).toEqual(await picture('riverside-dental'))
    expect(await picture('default')).not.toEqual(await picture('riverside-dental'))
  })

  test('of nobody has neither description nor picture', async ({ request }) => {
    const tags = await tagsOf(request, `${heyline.url}/nobody-of-this-name`)
    expect(Object.keys(tags).filter((name) => /^(og|twitter):/.test(name))).toEqual([])
    expect(tags.robots).toBe('noindex')
    for (const path of ['nobody-of-this-name.png', 'riverside-dental', '%00.png', '%E0%A4%A.png'])
      expect([path, (await request.get(`${heyline.url}/-/previews/${path}`)).status()]).toEqual([path, 404])
  })
})

test.describe('a shared link on a hosted backend', () => {
  let hosted: HostedBackend

  test.beforeAll(async () => {
    hosted = await HostedBackend.start({ PUBLIC_URL: 'https://demo.example' })
  })
  test.afterAll(() => hosted.stop())

  const named = (name: string) =>
    hosted.answer((_, response) =>
      rows(response, [{ slug: 'Büro 1/2', name, system: null, first_message: null }]),
    )
  /** Where the server is reached past its public name. */
  const local = (): string =>
    JSON.parse(readFileSync(join(hosted.heyline.dataDirectory, 'server.json'), 'utf8')).url
  const picture = (request: APIRequestContext, address = '') =>
    request.get(address.replace('https://demo.example', local()))

  test('gets another picture, at another address, when the visitor is renamed', async ({ request }) => {
    named('Acme')
    const first = await tagsOf(request, `${local()}/x`)
    expect(first['og:url']).toBe('https://demo.example/B%C3%BCro%201%2F2')
    expect(first['og:image']).toMatch('https://demo.example/-/previews/B%C3%BCro%201%2F2.png?v=')
    const before = await (await picture(request, first['og:image'])).body()
    named('<script>"&Acme')
    const renamed = await tagsOf(request, `${local()}/x`)
    expect(renamed['og:url']).toBe(first['og:url'])
    expect(renamed['og:image']).not.toBe(first['og:image'])
    expect(await (await picture(request, renamed['og:image'])).body()).not.toEqual(before)
  })

  test('has no picture for now while the lookup fails', async ({ request }) => {
    hosted.answer((_, response) => response.writeHead(500).end('broken'))
    const answer = await picture(request, 'https://demo.example/-/previews/x.png')
    expect([answer.status(), answer.headers()['cache-control']]).toEqual([503, 'no-store'])
    named('Acme')
    expect((await picture(request, 'https://demo.example/-/previews/x.png')).status()).toBe(200)
  })
})

test('a server whose renderer does not run shares links without pictures', async ({ request }) => {
  const refuse = `export async function resolve(name, context, next) {
    if (name === '@resvg/resvg-js') throw new Error('not built for this system')
    return next(name, context)
  }`
  const hook = `import { register } from 'node:module'; register(${JSON.stringify(asModule(refuse))})`
  const heyline = await RunningHeyline.start({ NODE_OPTIONS: `--import=${asModule(hook)}` })
  try {
    const tags = await tagsOf(request, `${heyline.url}/riverside-dental`)
    expect(tags).toMatchObject({ 'og:title': 'Demo for Riverside Dental', 'twitter:card': 'summary' })
    expect(tags['og:image']).toBeUndefined()
    expect((await request.get(`${heyline.url}/-/previews/riverside-dental.png`)).status()).toBe(404)
    expect(heyline.errors.split('\n').filter((line) => line.includes('no picture'))).toHaveLength(1)
  } finally {
    await heyline.stop()
  }
})

/** Code as an address that Node imports. */
function asModule(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}
