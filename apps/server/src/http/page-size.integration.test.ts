import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Settings } from '@heyline/page/server'
import * as builtPage from '@heyline/page/server'
import { type ShippedPart, SIZE_LIMITS, shippedParts } from '@heyline/page/sizes'
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Page } from '../ends/page-end.js'
import { assets } from './assets.js'
import { pageRoute } from './page-route.js'

/** What the built page weighs as this server sends it: a part above its limit fails, by name and by how much. */

const { assetsDirectory } = builtPage
const served = new Hono().route('/-/assets', assets([assetsDirectory]))
const brotli = { headers: { 'accept-encoding': 'br' } }

describe('the code', () => {
  const parts = shippedParts(assetsDirectory)

  it.each(['hydrate', 'form', 'call', 'humanCheck', 'liveStatus', 'opens'] as const)(
    'stays within its limit: %s',
    async (part) => {
      const weights = await Promise.all(parts[part].map(async (file) => ({ file, bytes: await sent(file) })))
      const bytes = weights.reduce((sum, weight) => sum + weight.bytes, 0)
      const list = weights.map((weight) => `${weight.file} ${weight.bytes}`).join(', ')
      expect(bytes).toBeGreaterThan(0)
      expect(excess(part, bytes, list)).toBe('')
    },
  )

  it.each([...new Set(Object.values(parts).flat())])(
    'is sent as brotli makes it smallest: %s',
    async (file) => {
      const content = readFileSync(join(assetsDirectory, file))
      const smallest = brotliCompressSync(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      })
      expect(readFileSync(join(assetsDirectory, `${file}.br`)).equals(smallest)).toBe(true)
      expect(await sent(file)).toBe(smallest.length)
    },
  )
})

describe('the HTML with its styles', () => {
  const sharing = {
    url: 'https://demo.example.com/riverside-dental',
    image: `https://demo.example.com/-/previews/riverside-dental.png?v=${token('image', 8)}`,
  }
  /** 60 characters, some of which HTML escapes and UTF-8 makes longer. */
  const longName = 'Müller & Söhne "Zahnärzte am Fluß" – Prophylaxe, Implantate'.padEnd(60, '!')

  /** 200 characters, the most that is stored, of words in ever another script: little repeats. */
  const mixedName = Array.from({ length: 40 }, (_, word) => {
    const first = [0x61, 0x3b1, 0x430, 0x5d0, 0x628, 0x915, 0x4e00][word % 7] ?? 0x61
    const letters = [...token(`word ${word}`, 4)].map((letter) => first + ((letter.codePointAt(0) ?? 0) % 23))
    return `${String.fromCodePoint(...letters)} `
  }).join('')

  it.each([
    ['a typical name', 'Riverside Dental', undefined],
    ['a typical name, as a shared link', 'Riverside Dental', sharing],
    ['a name of 60 characters', longName, undefined],
    ['a name of 60 characters, as a shared link', longName, sharing],
    ['a name of 200 characters in many scripts, as a shared link', mixedName, sharing],
  ])('stays within its limit: %s', async (_, name, shared) => {
    const html = await pageRoute({ page: pageFor(name, shared), logger: pino({ level: 'silent' }) })(
      new Request('https://demo.example.com/riverside-dental', brotli),
    )
    expect([html.status, html.headers.get('content-encoding')]).toEqual([200, 'br'])
    const bytes = (await html.arrayBuffer()).byteLength
    expect(excess('html', bytes, `${name} ${bytes}`)).toBe('')
  })

  it('stays within its limit: the loading state', () => {
    const html = builtPage.render({ state: { kind: 'loading' }, settings: SETTINGS })
    const bytes = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).byteLength
    expect(excess('html', bytes, `loading ${bytes}`)).toBe('')
  })
})

/** The bytes of the body when a browser asks for one of the page's files. */
async function sent(file: string): Promise<number> {
  const answer = await served.request(`/-/assets/${file}`, brotli)
  if (answer.status !== 200 || answer.headers.get('content-encoding') !== 'br')
    throw new Error(`${file} is not served as brotli; build the page with "npm run build"`)
  return (await answer.arrayBuffer()).byteLength
}

/** What to read in a failure; empty within the limit. */
function excess(part: ShippedPart | 'html', bytes: number, list: string): string {
  const over = bytes - SIZE_LIMITS[part]
  return over > 0 ? `${part} is ${over} bytes over its limit of ${SIZE_LIMITS[part]}: ${list}` : ''
}

function pageFor(name: string, sharing: { url: string; image: string } | undefined): Page {
  const { slugOf, stateOf, statusOf, render } = builtPage
  return {
    slugOf,
    stateOf,
    statusOf,
    find: async (slug) => ({ slug, name, system: null, first_message: null }),
    render: async (state) => render({ state, settings: SETTINGS, sharing }),
  }
}

/** Settings as long as real ones: keys and ids do not compress. */
const SETTINGS: Settings = {
  backendUrl: '/-/backend',
  backendKey: `sb_publishable_${token('backend', 22)}_${token('checksum', 8)}`,
  callWebhookUrl: '/-/backend/functions/v1/call-me',
  platformUrl: '/-/platform',
  platformPublicKey: uuid('platform'),
  assistantId: uuid('assistant'),
  websiteUrl: 'https://www.example.com/voice-assistants/',
  visitorHeader: true,
  logVisitors: true,
  inCallStrip: true,
  ownPlatform: true,
  humanCheck: { kind: 'turnstile', siteKey: `0x4AAAAAAA${token('site', 14)}` },
  liveStatus: '/-/calls',
  opens: '/-/opens',
}

/** Characters as random as a key's, and always the same. */
function token(seed: string, length: number): string {
  return createHash('sha256').update(seed).digest('base64url').slice(0, length)
}

function uuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
