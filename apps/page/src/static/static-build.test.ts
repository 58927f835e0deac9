import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildStatic } from './static-build.js'

const env = {
  SUPABASE_URL: 'https://project.example',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_key',
  SUPABASE_SECRET_KEY: 'sb_secret_key',
  CALL_WEBHOOK_URL: 'https://hooks.example/call?x=1',
  PLATFORM_URL: 'https://platform.example',
  PLATFORM_PUBLIC_KEY: 'platform-public',
  PLATFORM_PRIVATE_KEY: 'platform-private',
  PLATFORM_ASSISTANT_ID: 'assistant',
}

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'heyline-static-'))
  folder = path.join(root, 'site')
  for (const name of ['client-12345678.js', 'client-12345678.js.br', 'client-12345678.js.gz', 'flags/US.svg'])
    put(`client/${name}`, name)
  put('client/.vite/manifest.json', '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(name: string, content: string) {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}
const build = (changes: { words?: string[]; env?: Record<string, string | undefined> } = {}) =>
  buildStatic({
    words: changes.words ?? [],
    env: { ...env, ...changes.env },
    assets: path.join(root, 'client'),
    folder,
  })
const filesOf = (place: string) =>
  readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(place, path.join(entry.parentPath, entry.name)))
    .sort()
/** Without the compressed copies. */
const plainFilesOf = (place: string) => filesOf(place).filter((name) => !/\.(br|gz)$/.test(name))
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')

describe('the folder', () => {
  it('holds the document twice and the client’s files under the page’s base, and nothing of the server’s', () => {
    expect(build()).toBe(folder)
    expect(plainFilesOf(folder)).toEqual([
      '-/assets/client-12345678.js',
      '-/assets/flags/US.svg',
      '404.html',
      'index.html',
    ])
    expect(read('404.html')).toBe(read('index.html'))
    expect(read('-/assets/client-12345678.js')).toBe('client-12345678.js')
  })

  it('holds every text compressed in both ways, made out of that text and not of what the server has', () => {
    put('client/inter-12345678.woff2', 'a font')
    build()
    const texts = plainFilesOf(folder).filter((name) => !name.endsWith('.woff2'))
    expect(texts).toHaveLength(4)
    for (const name of texts) {
      const content = readFileSync(path.join(folder, name))
      expect(brotliDecompressSync(readFileSync(path.join(folder, `${name}.br`))), name).toEqual(content)
      expect(gunzipSync(readFileSync(path.join(folder, `${name}.gz`))), name).toEqual(content)
    }
    expect(filesOf(folder)).toHaveLength(texts.length * 3 + 1)
  })

  it('has no compressed copy of an earlier document', () => {
    build()
    build({ env: { WEBSITE_URL: 'https://agency.example' } })
    for (const name of ['index.html', '404.html'])
      expect(gunzipSync(readFileSync(path.join(folder, `${name}.gz`))).toString()).toBe(read(name))
  })

  it('goes where --out says', () => {
    const out = path.join(root, 'deep/elsewhere')
    for (const words of [['--out', out], [`--out=${out}`]]) expect(build({ words })).toBe(out)
    expect(existsSync(path.join(out, 'index.html'))).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  it('replaces an earlier build as a whole, and leaves nothing beside it', () => {
    build()
    put('site/-/assets/client-87654321.js', 'of an earlier build')
    build({ env: { WEBSITE_URL: 'https://agency.example' } })
    expect(filesOf(folder)).not.toContain('-/assets/client-87654321.js')
    expect(read('index.html')).toContain('https://agency.example')
    expect(readdirSync(root).sort()).toEqual(['client', 'site'])
  })

  it('stays as it was when a setting is bad, and when the files can’t be written', () => {
    build()
    const before = read('index.html')
    expect(() => build({ env: { PLATFORM_URL: 'nowhere' } })).toThrow('PLATFORM_URL: "nowhere" is not')
    rmSync(path.join(root, 'client'), { recursive: true })
    expect(() => build({ env: { WEBSITE_URL: 'https://agency.example' } })).toThrow('could not be written')
    expect(read('index.html')).toBe(before)
    expect(readdirSync(root)).toEqual(['site'])
  })

  it('is not written at all when a setting is missing', () => {
    expect(() => build({ env: { CALL_WEBHOOK_URL: undefined } })).toThrow('CALL_WEBHOOK_URL: is needed')
    expect(readdirSync(root)).toEqual(['client'])
  })

  it('is never somebody’s own', () => {
    build()
    rmSync(path.join(folder, '-'), { recursive: true })
    put('site/letters.txt', 'not ours')
    expect(() => build()).toThrow('holds letters.txt, which no static build wrote')
    expect(plainFilesOf(folder)).toEqual(['404.html', 'index.html', 'letters.txt'])
    expect(() => build({ words: ['--out', path.join(folder, 'letters.txt')] })).toThrow('is a file')
  })

  it.each(['index.html', '404.html', '-/assets/own.js'])(
    'is never somebody’s own, which holds only %s',
    (name) => {
      put(`site/${name}`, '<p id="page">not ours')
      expect(() => build()).toThrow(`holds ${name.split('/')[0]}, which no static build wrote`)
      expect(filesOf(folder)).toEqual([name])
      expect(read(name)).toBe('<p id="page">not ours')
    },
  )

  it('may be there and empty', () => {
    mkdirSync(folder)
    build()
    expect(filesOf(folder)).toContain('index.html')
  })

  it('is what a link leads to, and the link stays', () => {
    mkdirSync(path.join(root, 'release'))
    const link = path.join(root, 'current')
    symlinkSync('release', link)
    for (let round = 0; round < 2; round++) {
      expect(build({ words: ['--out', link] })).toBe(link)
      expect(lstatSync(link).isSymbolicLink()).toBe(true)
      expect(filesOf(path.join(root, 'release'))).toContain('index.html')
    }
    expect(readdirSync(root).sort()).toEqual(['client', 'current', 'release'])
  })

  it.each([[['--output', 'x']], [['folder']], [['--out']]])('is not guessed from the words %j', (words) => {
    expect(() => build({ words })).toThrow('npm run static: it takes nothing but --out FOLDER')
  })
})

describe('the document', () => {
  let html: string
  let policy: Map<string, string[]>
  beforeEach(() => {
    build()
    html = read('index.html')
    const [, text = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
    const directives = text
      .replaceAll('&#39;', "'")
      .split('; ')
      .map((directive) => directive.split(' '))
    policy = new Map(directives.map(([name = '', ...sources]) => [name, sources]))
  })

  it('is the loading state, the same for every visitor', () => {
    expect(html).toContain('<title>Loading...</title>')
    expect(html).toContain('"state":{"kind":"loading"}')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toMatch(/<meta name="description" content="A voice assistant that answers [^"]+">/)
  })

  it('says to who shares a link what there is, for want of the visitor', () => {
    expect(html).toContain('<meta property="og:title" content="A voice assistant to try">')
    expect(html).not.toMatch(/og:(url|image)/)
  })

  it('names its policy before anything that the policy governs', () => {
    const place = html.indexOf('http-equiv="Content-Security-Policy"')
    expect(place).toBeGreaterThan(0)
    for (const governed of ['<script', '<style', '<link', '<body', '<base', '<img']) {
      const first = html.indexOf(governed)
      if (first >= 0) expect(first, governed).toBeGreaterThan(place)
    }
  })

  it('allows exactly the styles that it inlines, by hash', () => {
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style)
    const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(hashes).toHaveLength(1)
    expect(policy.get('style-src')).toEqual(["'self'", ...hashes])
    expect(html).not.toMatch(/ style="/)
  })

  it('runs no inline script', () => {
    const scripts = [...html.matchAll(/<script ([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(scripts).toHaveLength(2)
    for (const attributes of scripts) expect(attributes).toMatch(/src=|type="application\/json"/)
    expect(policy.get('script-src')).toEqual(["'self'", 'https://c.daily.co', 'blob:', "'wasm-unsafe-eval'"])
    expect([...policy.values()].flat().join(' ')).not.toMatch(/'unsafe-/)
  })

  it('calls the configured ends, their sockets, and Daily', () => {
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('connect-src')).toEqual([
      "'self'",
      'https://project.example',
      'https://hooks.example',
      'https://platform.example',
      'wss://platform.example',
      'https://*.daily.co',
      'wss://*.daily.co',
      'https://*.pluot.blue',
      'wss://*.pluot.blue',
    ])
    expect(policy.has('frame-ancestors')).toBe(false)
  })

  it('allows Turnstile where it is the human check', () => {
    expect(html).not.toContain('challenges.cloudflare.com')
    build({ env: { HUMAN_CHECK: 'turnstile', TURNSTILE_SITE_KEY: '0x4AAA' } })
    expect(read('index.html')).toContain('frame-src https://challenges.cloudflare.com')
  })

  it('holds no secret of its environment', () => {
    for (const file of filesOf(folder)) {
      expect(read(file)).not.toContain(env.SUPABASE_SECRET_KEY)
      expect(read(file)).not.toContain(env.PLATFORM_PRIVATE_KEY)
    }
  })
})
