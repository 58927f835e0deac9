import { expect, type Page } from '@playwright/test'
import { open } from './demo-page.js'
import { test } from './fixtures.js'
import { HostedBackend, rows } from './hosted-backend.js'
import { onEveryHost } from './page-hosts.js'
import { submit, takeCalls, type } from './phone-form.js'
import { storeVisitors } from './visitors.js'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Slugs that the command does not give out, and that a table may hold all the same. */
const SLUGS = ['münchen', '東京', '-', 'a b', '%41', 'x%zz']

/** Addresses of a visitor's page: encoded as a browser does it, and in other spellings. */
const PATHS: [path: string, slug: string][] = [
  ['münchen', 'münchen'],
  ['m%C3%BCnchen', 'münchen'],
  ['m%c3%bcnchen/anything', 'münchen'],
  ['M%C3%9CNCHEN', 'münchen'],
  // The same letters, with the accent apart: as some file systems write names.
  ['mu%CC%88nchen', 'münchen'],
  ['東京', '東京'],
  ['-', '-'],
  ['a%20b', 'a b'],
  ['%2541', '%41'],
  ['x%25zz', 'x%zz'],
]

onEveryHost('slugs of any script', (host) => {
  test.beforeAll(() =>
    storeVisitors(
      host.heyline,
      SLUGS.map((slug) => ({ slug, name: `Guest of ${slug}` })),
    ),
  )

  for (const [path, slug] of PATHS)
    test(`the page /${path} greets the visitor ${slug}`, async ({ page }) => {
      await open(page, host.url, path)
      await expect(heading(page)).toHaveText(`Hey Guest of ${slug},`)
    })

  test('the webhook gets the slug as it is stored, however the address spells it', async ({ page }) => {
    await open(page, host.url, 'MU%CC%88NCHEN')
    const asked = page.waitForRequest('**/call-me')
    await takeCalls(page)
    await page.getByRole('button', { name: 'Call Me' }).click()
    await type(page, '2025550123')
    await submit(page)
    expect((await asked).postDataJSON()).toEqual({ phone: '+12025550123', slug: 'münchen' })
  })

  if (host.kind === 'server')
    test('below /-/ there is no page', async ({ request }) => {
      expect((await request.get(`${host.url}/-`)).status()).toBe(200)
      const below = await request.get(`${host.url}/-/`)
      expect([below.status(), (await below.json()).code]).toEqual([404, 'not_found'])
    })
})

test.describe('rows of a hosted table that ours would refuse', () => {
  let hosted: HostedBackend
  test.beforeAll(async () => {
    hosted = await HostedBackend.start()
  })
  test.afterAll(() => hosted.stop())

  for (const [name, shown] of [
    ['Ada\nLovelace\u0007', 'Ada Lovelace'],
    ['Ada \u202eecalevoL', 'Ada ecalevoL'],
    [null, 'there'],
    ['', 'there'],
  ] as const)
    test(`the name ${JSON.stringify(name)} is greeted as '${shown}'`, async ({ page }) => {
      hosted.answer((_, response) =>
        rows(response, [{ slug: 'ada', name, system: null, first_message: null }]),
      )
      await open(page, hosted.heyline.url, 'ada')
      await expect(heading(page)).toHaveText(`Hey ${shown},`)
      await expect(page).toHaveTitle(`Demo for ${shown}`)
    })
})
