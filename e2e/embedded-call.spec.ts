import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import { FileServer } from './file-server.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, speakersOpen, tapSpeaker } from './speaker.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const EXAMPLE = join(ROOT, 'examples/embedded-call')
const HELPER = join(ROOT, 'packages/web-call')

const folder = mkdtempSync(join(tmpdir(), 'heyline-e2e-embedded-'))
let host: FileServer
let heyline: RunningHeyline

/** The policy that docs/embedding.md asks for. */
const policyOf = (server: string) =>
  `default-src 'none'; script-src ${server}; connect-src ${server} ${server.replace('http', 'ws')}; require-trusted-types-for 'script'`

test.beforeAll(async () => {
  writeFileSync(join(folder, '404.html'), 'Nothing is here')
  host = await FileServer.start(folder)
  heyline = await RunningHeyline.start({ ALLOWED_ORIGINS: host.url, WEB_CALLS: 'minted' })
})
test.afterAll(async () => {
  await host.stop()
  await heyline.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A page of another origin, under a strict policy, with this in its body. */
function put(name: string, body: string, server = heyline.url): string {
  writeFileSync(
    join(folder, name),
    `<!doctype html><html lang="en"><meta charset="utf-8">
     <meta http-equiv="content-security-policy" content="${policyOf(server)}"><title>Elsewhere</title>
     <script type="module" src="${server}/-/embed/heyline-call.js"></script>${body}`,
  )
  return `${host.url}/${name}`
}

const button = (page: Page, name: string) => page.getByRole('button', { name })

/** Everything that the browser says a policy refuses. */
function refusalsOf(page: Page): string[] {
  const refused: string[] = []
  page.on('console', (said) => {
    if (/content security policy|trusted/i.test(said.text())) refused.push(said.text())
  })
  return refused
}

async function isHeard(page: Page): Promise<void> {
  await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(500)
}

test('a visitor’s call talks on a page of another origin, under a strict policy', async ({ page }) => {
  const refused = refusalsOf(page)
  await tapSpeaker(page)
  await page.goto(put('visitor.html', '<heyline-call slug="riverside-dental"></heyline-call>'))
  await button(page, 'Test in Browser').click()
  await expect(button(page, 'Stop Call')).toBeVisible()
  await isHeard(page)
  await button(page, 'Stop Call').click()
  await expect(button(page, 'Test in Browser')).toBeVisible()
  await expect.poll(() => speakersOpen(page)).toBe(0)
  expect(refused).toEqual([])
})

test('an assistant’s call talks, tells its events, and ends with its element', async ({ page }) => {
  const { url: direct, assistantId, ...server } = await other()
  try {
    await tapSpeaker(page)
    const { platformPublic } = await server.keys()
    const body = `<heyline-call assistant="${assistantId}" key="${platformPublic}" start-label="Talk to us"></heyline-call>`
    await page.goto(put('assistant.html', body, direct))
    const call = page.locator('heyline-call')
    const told: string[] = []
    await page.exposeFunction('tell', (name: string) => told.includes(name) || told.push(name))
    await call.evaluate((element) => {
      for (const name of ['state', 'start', 'transcript', 'end'])
        element.addEventListener(`heyline-call-${name}`, (event) => {
          if (event instanceof CustomEvent)
            Reflect.get(window, 'tell')(name === 'state' ? event.detail : name)
        })
    })
    await button(page, 'Talk to us').click()
    await expect(button(page, 'Stop Call')).toBeVisible()
    await isHeard(page)
    await expect.poll(() => told).toContain('transcript')
    await call.evaluate((element) => element.remove())
    await expect.poll(() => told).toEqual(['connecting', 'in-call', 'start', 'transcript', 'idle', 'end'])
    await expect.poll(() => speakersOpen(page)).toBe(0)
  } finally {
    await server.stop()
  }
})

test('a server’s human check is solved before the call', async ({ page }) => {
  const server = await RunningHeyline.start({
    ALLOWED_ORIGINS: host.url,
    WEB_CALLS: 'minted',
    HUMAN_CHECK: 'altcha',
  })
  try {
    await tapSpeaker(page)
    const refused = refusalsOf(page)
    await page.goto(
      put('checked.html', '<heyline-call slug="riverside-dental" human-check></heyline-call>', server.url),
    )
    const asked = page.waitForRequest('**/functions/v1/web-call')
    await button(page, 'Test in Browser').click()
    expect(await (await asked).headerValue('x-human-check')).toBeTruthy()
    await isHeard(page)
    expect(refused).toEqual([])
  } finally {
    await server.stop()
  }
})

test('a page whose origin the server does not name is refused, and says so', async ({ page }) => {
  const address = put('elsewhere.html', '<heyline-call slug="riverside-dental"></heyline-call>')
  await page.goto(address.replace('localhost', '127.0.0.1'))
  await button(page, 'Test in Browser').click()
  await expect(page.getByRole('alert')).toHaveText('The call could not be started. Please try again.')
  await expect(button(page, 'Test in Browser')).toBeVisible()
})

test('an element that can call nobody says so', async ({ page }) => {
  await page.goto(put('nobody.html', '<heyline-call slug="nobody-here"></heyline-call>'))
  await button(page, 'Test in Browser').click()
  await expect(page.getByRole('alert')).toHaveText('The call could not be started. Please try again.')
  await expect(button(page, 'Test in Browser')).toBeVisible()
})

test.describe('without a microphone', () => {
  // Without the flag that says yes for the person, and without a permission, a headless browser says no.
  test.use({
    permissions: [],
    ownBrowser: { args: CHROMIUM_FLAGS.filter((flag) => !flag.startsWith('--use-fake-ui')) },
  })

  test('an element says what to do', async ({ page }) => {
    await page.goto(put('refused.html', '<heyline-call slug="riverside-dental"></heyline-call>'))
    await button(page, 'Test in Browser').click()
    await expect(page.getByRole('alert')).toHaveText(
      'The microphone may not be used. Allow it for this site and start again.',
    )
    await expect(button(page, 'Test in Browser')).toBeVisible()
  })
})

test('the example talks as it stands', async ({ page }) => {
  cpSync(EXAMPLE, folder, { recursive: true })
  const file = join(folder, 'index.html')
  writeFileSync(file, readFileSync(file, 'utf8').replace('http://localhost:3000', heyline.url))
  await tapSpeaker(page)
  await page.goto(`${host.url}/`)
  await button(page, 'Talk to us').click()
  await isHeard(page)
  await button(page, 'Stop Call').click()
})

test('the helper talks from its tarball by a script tag, without a bundler', async ({ page }) => {
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  const run = promisify(execFile)
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: HELPER })
  await run('tar', ['-xzf', join(packed, stdout.trim()), '-C', packed])
  const { url, assistantId, ...server } = await other()
  try {
    const { platformPublic } = await server.keys()
    writeFileSync(
      join(folder, 'helper.html'),
      `<!doctype html><title>Helper</title><button>Start call</button>
       <script type="module">
         import { WebCallClient } from './packed/package/dist/embed/heyline-call.js'
         const client = new WebCallClient({ baseUrl: '${url}/-/platform', token: '${platformPublic}' })
         document.querySelector('button').onclick = () => client.start({ assistant: '${assistantId}' })
       </script>`,
    )
    await tapSpeaker(page)
    await page.goto(`${host.url}/helper.html`)
    await button(page, 'Start call').click()
    await isHeard(page)
  } finally {
    await server.stop()
  }
})

/** A server whose public key starts calls. */
const other = async () => {
  const server = await RunningHeyline.start({ ALLOWED_ORIGINS: host.url, WEB_CALLS: 'direct' })
  return {
    url: server.url,
    assistantId: server.assistantId,
    keys: () => server.keys(),
    stop: () => server.stop(),
  }
}
