import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { callMe, callNow, open } from './demo-page.js'
import { FileServer } from './file-server.js'
import { freePort } from './free-port.js'
import { field, SUCCESS } from './phone-form.js'
import { RunningHeyline } from './running-heyline.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test.describe('the page that embeds the web-call helper', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-e2e-example-'))
  let host: FileServer
  let heyline: RunningHeyline
  test.beforeAll(async () => {
    // The host runs first: the Heyline must be told its origin, and the build the Heyline's.
    host = await FileServer.start(folder)
    heyline = await RunningHeyline.start({ ALLOWED_ORIGINS: host.url })
    const keys = JSON.parse((await heyline.command('keys', '--json')).out)
    const env = {
      PATH: process.env.PATH,
      PLATFORM_URL: `${heyline.url}/-/platform`,
      PLATFORM_PUBLIC_KEY: keys.platformPublic,
      PLATFORM_ASSISTANT_ID: heyline.assistantId,
    }
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    const words = [vite, 'build', 'examples/web-call-page', '--outDir', folder, '--logLevel', 'warn']
    await promisify(execFile)(process.execPath, words, { cwd: ROOT, env })
  })
  test.afterAll(async () => {
    await host.stop()
    await heyline.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('calls the assistant, shows what it says, and hangs up', async ({ page }) => {
    await page.goto(host.url)
    await expect(page.getByRole('status')).toHaveText('No call')
    await page.getByRole('button', { name: 'Start call' }).click()
    await expect(page.getByRole('status')).toHaveText('The assistant is listening')
    await expect(page.getByRole('listitem').first()).toHaveText(/^assistant: \w+/)
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expect(page.getByRole('status')).toHaveText('The call is over')
    await expect(page.getByRole('button')).toHaveText('Start call')
  })
})

test.describe('the program behind the webhook', () => {
  let program: ChildProcess | undefined
  let heyline: RunningHeyline | undefined
  let output = ''
  test.afterAll(async () => {
    if (program?.kill()) await once(program, 'exit')
    await heyline?.stop()
  })

  test('hears who asked to be called on a page of another origin', async ({ page }) => {
    const port = await freePort()
    heyline = await RunningHeyline.start({ CALL_WEBHOOK_URL: `http://localhost:${port}/calls` })
    program = spawn(process.execPath, [join(ROOT, 'examples/webhook/webhook.js')], {
      env: { PATH: process.env.PATH, PORT: String(port), PAGE_ORIGIN: heyline.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    program.stdout?.on('data', (piece) => {
      output += piece
    })
    await expect.poll(() => output).toContain('Waiting at ')
    await open(page, heyline.url, 'default')
    await callMe(page).click()
    await field(page).fill('+14155552671')
    await callNow(page).click()
    await expect(page.getByText(SUCCESS)).toBeVisible()
    await expect.poll(() => output).toContain('default: call +14155552671\n')
  })
})
