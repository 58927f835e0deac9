import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHeyline } from '../heyline.js'
import { readSettings } from '../settings/settings.js'

const HEYLINE = fileURLToPath(new URL('../../bin/heyline.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'heyline-command-'))
const data = join(directory, 'data')
afterAll(() => rmSync(directory, { recursive: true }))

/** Runs the command as a person does: what it printed, what it complained of, and its exit code. */
function heyline(words: string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, DATA_DIR: data, ...environment }
  const child = spawn(process.execPath, [HEYLINE, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, out, err })),
  )
}

/** The same expectations hold with a server running and with none. */
function describeVisitors(slug: string) {
  it('adds a visitor and lists it', async () => {
    const added = await heyline([
      'visitors',
      'add',
      slug,
      '--name',
      'Harbour Café',
      '--first-message',
      'Ahoy!',
    ])
    expect(added).toMatchObject({ code: 0, out: `Added Harbour Café: their page is at /${slug}\n` })
    const listed = JSON.parse((await heyline(['visitors', 'list', '--json'])).out)
    expect(listed).toContainEqual({ slug, name: 'Harbour Café' })
    expect(listed[0]).toEqual({ slug: 'default', name: 'there' })
  })

  it('takes the prompt from a file', async () => {
    const file = join(directory, 'prompt.txt')
    writeFileSync(file, 'You answer for a café.')
    expect(
      await heyline(['visitors', 'add', `${slug}-2`, '--name', 'Two', '--system', `@${file}`]),
    ).toMatchObject({ code: 0 })
  })

  it.each([
    [['-bad', '--name', 'X'], /unknown option/],
    [['bad slug', '--name', 'X'], /^heyline: A slug is a letter or digit/],
    [['fine', '--name', ''], /^heyline: A visitor needs a name/],
    [['fine', '--name', 'x'.repeat(201)], /^heyline: A name has at most 200 characters/],
    [['fine'], /required option '--name <name>' not specified/],
    [
      ['fine', '--name', 'X', '--system', '@/none'],
      /^heyline: --system names the file \/none, which can't be read/,
    ],
    [['DEFAULT', '--name', 'X'], /^heyline: There is a visitor "DEFAULT" already \(case does not count\)/],
  ])('refuses %j in one line', async (words, message) => {
    const refused = await heyline(['visitors', 'add', ...words])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(message)
    expect(refused.err.trim().split('\n')).toHaveLength(1)
  })
}

describe('visitors, with no server running', () => {
  it('says that it makes a data directory', async () => {
    const { err } = await heyline(['visitors', 'list'], { DATA_DIR: join(directory, 'elsewhere') })
    expect(err).toBe(`heyline: made a data directory at ${join(directory, 'elsewhere')}\n`)
  })
  describeVisitors('quiet')

  it('does not believe what a killed server left', async () => {
    const left = { url: 'http://127.0.0.1:9', pid: process.pid, database: 'pglite' }
    writeFileSync(join(data, 'server.json'), JSON.stringify(left))
    expect((await heyline(['visitors', 'list'])).code).toBe(0)
  })
})

describe('visitors, with a server running', () => {
  let close: () => Promise<void>
  beforeAll(async () => {
    const settings = readSettings({ PORT: '0', DATA_DIR: data })
    const server = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
    close = server.close
  })
  afterAll(() => close())
  describeVisitors('busy')

  it('refuses to work on another database than the server does', async () => {
    const other = await heyline(['visitors', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toMatch(/^heyline: DATABASE_URL: the server that runs on .* uses another database/)
  })
})

describe('keys', () => {
  it('are printed as text and as JSON, the same ones every time', async () => {
    const keys = JSON.parse((await heyline(['keys', '--json'])).out)
    const { out } = await heyline(['keys'])
    for (const key of Object.values(keys)) expect(out).toContain(key)
    expect(out).toMatch(/^backend, publishable \(in the page\) +sb_publishable_/)
  })
})

describe('what can not be used', () => {
  it.each([
    [{ PORT: 'abc' }, 'heyline: PORT: "abc" is not a port (0 to 65535)\n'],
    [
      { DATA_DIR: HEYLINE },
      `heyline: DATA_DIR: ${HEYLINE} can't be used: EEXIST: file already exists, mkdir '${HEYLINE}'\n`,
    ],
  ])('is named in one line, and the exit code is 1: %j', async (environment, message) => {
    expect(await heyline(['start'], environment)).toEqual({ code: 1, out: '', err: message })
  })
})
