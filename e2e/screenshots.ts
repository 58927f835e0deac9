import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium as browsers, type Page } from '@playwright/test'
import { chromium } from '../scripts/chromium.mjs'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import makeSounds from './global-setup.js'
import { HostedBackend, hang } from './hosted-backend.js'
import { RunningHeyline } from './running-heyline.js'
import { storeVisitors } from './visitors.js'

// Takes the pictures of docs/screenshots anew, from a built page: `npm run build && npx tsx e2e/screenshots.ts`.

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const DESKTOP = { viewport: { width: 1280, height: 800 } }
const TABLET = { viewport: { width: 820, height: 1180 } }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
const LONG_NAME = 'The Lighthouse and Harbour Dental Practice of Northumberland and the Farne Islands'
const RIGHT_TO_LEFT_NAME = 'عيادة النهر للأسنان'
/** The page has no font of its own; a Linux without a desktop has a plain one. This is close to what phones show. */
const FONT = 'body { font-family: Inter, system-ui, sans-serif !important }'

interface Picture {
  name: string
  slug: string
  look: BrowserContextOptions
  loading?: boolean
  prepare?: (page: Page) => Promise<void>
}

async function inCall(page: Page) {
  await page.getByRole('button', { name: 'Test in Browser' }).click()
  await page.getByRole('button', { name: 'Transcript' }).click()
  await page.getByRole('log').getByText('Assistant').first().waitFor()
  await page.waitForTimeout(1_000)
}

async function submit(page: Page, status: number, digits: string) {
  await page.route('**/functions/v1/call-me', (route) => route.fulfill({ status, body: '{}' }))
  await page.getByRole('button', { name: 'Call Me' }).click()
  await page.getByRole('textbox').press('End')
  await page.keyboard.type(digits)
  await page.keyboard.press('Enter')
}

const PICTURES: Picture[] = [
  { name: 'main', slug: 'riverside-dental', look: DESKTOP },
  { name: 'main-dark', slug: 'riverside-dental', look: { ...DESKTOP, colorScheme: 'dark' } },
  {
    name: 'connecting',
    slug: 'riverside-dental',
    look: DESKTOP,
    async prepare(page) {
      await page.route('**/call/web', () => {})
      await page.getByRole('button', { name: 'Test in Browser' }).click()
      await page.getByRole('button', { name: 'Connecting...' }).waitFor()
    },
  },
  { name: 'call', slug: 'riverside-dental', look: DESKTOP, prepare: inCall },
  {
    name: 'form-empty',
    slug: 'riverside-dental',
    look: PHONE,
    async prepare(page) {
      await submit(page, 202, '')
      await page.getByText('Please enter').waitFor()
    },
  },
  {
    name: 'form-failed',
    slug: 'riverside-dental',
    look: TABLET,
    async prepare(page) {
      await submit(page, 503, '4155552671')
      await page.getByText('Failed to').waitFor()
    },
  },
  { name: 'right-to-left', slug: 'right-to-left', look: TABLET },
  {
    name: 'form-dark',
    slug: 'riverside-dental',
    look: { ...DESKTOP, colorScheme: 'dark' },
    async prepare(page) {
      await submit(page, 202, '4155552671')
      await page.getByText('Great!').waitFor()
    },
  },
  { name: 'phone', slug: 'riverside-dental', look: PHONE },
  {
    name: 'phone-call-dark',
    slug: 'riverside-dental',
    look: { ...PHONE, colorScheme: 'dark' },
    prepare: inCall,
  },
  { name: 'long-name', slug: 'long-name', look: PHONE },
  { name: 'not-found', slug: 'nobody-of-this-name', look: DESKTOP },
  { name: 'loading', slug: 'riverside-dental', look: PHONE, loading: true },
]

await makeSounds()
const browser = await browsers.launch({ executablePath: chromium(), args: CHROMIUM_FLAGS })
const heyline = await RunningHeyline.start()
const slow = await HostedBackend.start()
slow.answer(hang)
await storeVisitors(heyline, [
  { slug: 'long-name', name: LONG_NAME },
  { slug: 'right-to-left', name: RIGHT_TO_LEFT_NAME },
])
for (const picture of PICTURES) {
  const webp = await take(browser, picture, picture.loading ? slow.heyline.url : heyline.url)
  writeFileSync(`${FOLDER}${picture.name}.webp`, webp)
  console.log(`${picture.name}.webp: ${webp.length} bytes`)
}
await slow.stop()
await heyline.stop()
await browser.close()

async function take(browser: Browser, { slug, look, prepare }: Picture, url: string): Promise<Buffer> {
  const context = await browser.newContext({
    ...look,
    reducedMotion: 'reduce',
    permissions: ['microphone'],
    bypassCSP: true,
  })
  const page = await context.newPage()
  await page.goto(`${url}/${slug}`)
  await page.addStyleTag({ content: FONT })
  await prepare?.(page)
  await page.mouse.move(0, 0)
  const png = await page.screenshot()
  await page.goto('about:blank')
  const webp = await page.evaluate(toWebp, `data:image/png;base64,${png.toString('base64')}`)
  await context.close()
  return Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64')
}

/** Runs in the browser, which can write WebP: flat colours make it a fifth of the PNG. */
async function toWebp(png: string): Promise<string> {
  const picture = new Image()
  picture.src = png
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return canvas.toDataURL('image/webp', 0.85)
}
