import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { assets } from './assets.js'
import { consoleAssets } from './console.js'

/** Most JavaScript before an operator sees the visitors, in bytes as they are sent. */
const FIRST_SCREEN_LIMIT = 150_000
/** What the document loads, and what it loads once somebody is signed in. */
const FIRST_SCREEN = ['console', 'visitors-screen']

const served = new Hono().route('/-/assets', assets([consoleAssets]))

it('shows the first screen after the sign-in with so much JavaScript at most', async () => {
  const files = [...reached(FIRST_SCREEN.map(hashed))]
  const weights = await Promise.all(files.map(async (file) => ({ file, bytes: await sent(file) })))
  const bytes = weights.reduce((sum, weight) => sum + weight.bytes, 0)
  const over = bytes - FIRST_SCREEN_LIMIT
  const list = weights.map((weight) => `${weight.file} ${weight.bytes}`).join(', ')
  expect(files.length).toBeGreaterThan(FIRST_SCREEN.length)
  expect(over > 0 ? `${over} bytes over ${FIRST_SCREEN_LIMIT}: ${list}` : '').toBe('')
})

/** These files, and all that they import before they run. */
function reached(files: readonly string[], seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue
    seen.add(file)
    const imports = readFileSync(join(consoleAssets, file), 'utf8').matchAll(
      /(?:from|import)\s*"\.\/([^"]+\.js)"/g,
    )
    reached(
      [...imports].flatMap(([, imported]) => imported ?? []),
      seen,
    )
  }
  return seen
}

function hashed(name: string): string {
  const file = readdirSync(consoleAssets).find((each) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(each))
  if (!file) throw new Error(`The console has no ${name}: build it with "npm run build"`)
  return file
}

/** The bytes of the body when a browser asks for a file. */
async function sent(file: string): Promise<number> {
  const answer = await served.request(`/-/assets/${file}`, { headers: { 'accept-encoding': 'br' } })
  if (answer.headers.get('content-encoding') !== 'br') throw new Error(`${file} is not served as brotli`)
  return (await answer.arrayBuffer()).byteLength
}
