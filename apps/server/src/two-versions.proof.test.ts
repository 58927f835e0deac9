import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOfficeClient } from '@heyline/back-office/client'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Balancer } from './testing/balancer.js'
import { HEYLINE, testDirectory } from './testing/heyline-command.js'
import { listeningUrl } from './testing/listening-url.js'
import {
  lastRelease,
  type NoVersion,
  type OtherVersion,
  withOtherFrontEnds,
} from './testing/other-version.js'
import { seeded } from './testing/seeded.js'
import { readServerKeys } from './testing/server-keys.js'
import { WireCall } from './testing/wire-call.js'
import { VERSION } from './version.js'

const MAKE = fileURLToPath(new URL('../../../scripts/package.mjs', import.meta.url))
/** For a build of everything on a machine that does other things, too. */
const BUILD_MS = 1_200_000
const LOADS = 80

const [postgres] = DATABASES.filter(({ kind }) => kind === 'postgres')
const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Process {
  url: string
  data: string
  platformKey: string
  secret: string
  /** As an operator ends it. */
  end(): Promise<void>
}

/** Starts processes of one installation on a Postgres of their own. */
async function installation() {
  if (!postgres) throw new Error('Postgres is not installed')
  const db: Db = await postgres.open({ content: 'empty' })
  closers.push(() => db.close())
  const { rows } = await db.query<{ name: string }>('select current_database() as name')
  const databaseUrl = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`)
  const { path, remove } = testDirectory()
  closers.push(remove)
  const processes: Process[] = []
  const start = async (command: string): Promise<Process> => {
    const data = join(path, String(processes.length))
    mkdirSync(data)
    const [first] = processes
    if (first) copyFileSync(join(first.data, 'keys.json'), join(data, 'keys.json'))
    const started = await serve(command, data, {
      DATABASE_URL: databaseUrl,
      ...(first && { PUBLIC_URL: first.url }),
    })
    processes.push(started)
    return started
  }
  return { db, start }
}

/** Starts a process with this data directory. */
async function serve(command: string, data: string, settings: Record<string, string> = {}): Promise<Process> {
  const child = spawn(process.execPath, [command, 'start'], {
    env: { PATH: process.env.PATH, ENV_FILE: 'off', PORT: '0', DATA_DIR: data, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  closers.push(() => child.kill('SIGKILL'))
  await listeningUrl(child)
  const url = ownUrl(data)
  const { platformPrivate: platformKey, secret } = readServerKeys(data)
  const end = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { url, data, platformKey, secret, end }
}

/** The platform's calls, by their ids. */
async function callsOf({ url, platformKey }: Process): Promise<Map<string, string>> {
  const answer = await fetch(`${url}/-/platform/call`, {
    headers: { authorization: `Bearer ${platformKey}` },
  })
  const calls: { id: string; status: string }[] = await answer.json()
  return new Map(calls.map(({ id, status }) => [id, status]))
}

/** Somebody talks with the assistant and hangs up: the call's id. */
async function talk(server: Process): Promise<string> {
  const call = await WireCall.join(server)
  await call.speaks()
  call.socket.send('{"type":"hangup"}')
  await call.closed
  await expect.poll(async () => (await callsOf(server)).get(call.id), { timeout: 10_000 }).toBe('ended')
  return call.id
}

/** The banner shows the public one. */
const ownUrl = (data: string): string => JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')).url

const ASSETS = /\/-\/assets\/[^"'\s)]+\.(?:js|css)/g

/** Loads a page as a browser does: resolves with its files, and throws where one is not there. */
async function load(url: string): Promise<string[]> {
  const page = await fetch(`${url}/default`)
  expect(page.status).toBe(200)
  const files = [...new Set((await page.text()).match(ASSETS))]
  expect(files.some((file) => file.endsWith('.js'))).toBe(true)
  for (const file of files) await loadFile(url, file)
  return files
}

async function loadFile(url: string, file: string): Promise<string> {
  const answer = await fetch(url + file)
  expect(answer.status, file).toBe(200)
  expect(answer.headers.get('content-type'), file).toMatch(
    file.endsWith('.js') ? 'text/javascript' : 'text/css',
  )
  expect(answer.headers.get('cache-control'), file).toContain('immutable')
  return await answer.text()
}

/** The chunks that these scripts may ask for later. */
async function chunksOf(url: string, files: string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => loadFile(url, file)))
  const names = texts.flatMap((text) => text.match(/[\w-]+-[\w-]{8}\.(?:js|css)\b/g) ?? [])
  return [...new Set(names)].map((name) => `/-/assets/${name}`)
}

const isMissing = (version: OtherVersion | NoVersion): version is NoVersion => 'missing' in version
const leftOut = postgres ? '' : ' (left out: Postgres is not installed here)'

describe.skipIf(leftOut !== '')(`two versions on one Postgres${leftOut}`, () => {
  let release: OtherVersion | NoVersion
  beforeAll(() => {
    release = lastRelease()
  }, BUILD_MS)
  afterAll(() => {
    if (!isMissing(release)) release.remove()
  })

  it('lets the last release work on the new schema: its call goes on, and it takes the pause', {
    timeout: BUILD_MS,
  }, async (context) => {
    if (isMissing(release)) return context.skip(release.missing)
    const { db, start } = await installation()
    const old = await start(release.command)
    const call = await WireCall.join(old, { firstMessage: 'Hello, we are open from nine to five.' })
    await call.speaks()
    const newest = await start(HEYLINE)
    await call.speaks()
    expect(await load(old.url)).not.toEqual([])
    expect(await load(newest.url)).not.toEqual([])

    const office = createOfficeClient({
      url: newest.url,
      headers: { authorization: `Bearer ${newest.secret}` },
    })
    const ask = async (phone: string) =>
      (
        await fetch(`${old.url}/-/backend/functions/v1/call-me`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ phone, slug: 'default' }),
        })
      ).json()
    await office.calls.pause()
    // Why is not the caller's business, but in the record.
    expect(await ask('+14155552671')).toMatchObject({ code: 'call_refused' })
    const refusals = await db.query('select refusal from call_desk.call_requests')
    expect(refusals.rows).toEqual([{ refusal: 'paused' }])
    await office.calls.resume()
    const { id } = await ask('+14155552672')
    await expect
      .poll(async () => (await office.calls.show({ id })).state, { timeout: 10_000 })
      .toBe('ringing')

    await call.speaks()
    call.socket.send('{"type":"hangup"}')
    await call.closed
    const ended = () =>
      db.query<{ status: string }>('select status from voice_platform.calls where id = $1', [call.id])
    await expect.poll(async () => (await ended()).rows[0]?.status, { timeout: 10_000 }).toBe('ended')
    await old.end()
    expect(await load(newest.url)).not.toEqual([])
    await newest.end()
  })

  it('takes over the PGlite of the last release, and gives it back if that can take it: all calls stay in the record', {
    timeout: BUILD_MS,
  }, async (context) => {
    if (isMissing(release)) return context.skip(release.missing)
    const { path, remove } = testDirectory()
    closers.push(remove)
    execFileSync(process.execPath, [MAKE, '--out', path], { stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('tar', ['-xzf', join(path, `heyline-${VERSION}.tgz`), '-C', path])
    const updated = join(path, `heyline-${VERSION}`, 'bin/heyline.js')
    const calls: string[] = []
    const works = async (server: Process) => {
      calls.push(await talk(server))
      expect(Object.fromEntries(await callsOf(server))).toEqual(
        Object.fromEntries(calls.map((id) => [id, 'ended'])),
      )
      expect(await load(server.url)).not.toEqual([])
      await server.end()
    }
    await works(await serve(release.command, path))
    await works(await serve(updated, path))
    // Releases before the one to come start on no newer schema.
    const back = await serve(release.command, path).catch((error: Error) => error)
    if (back instanceof Error) expect(back.message).toContain('it was used by a newer one')
    else await works(back)
    await works(await serve(updated, path))
  })

  describe('with other front ends', () => {
    let older: OtherVersion | NoVersion
    beforeAll(() => {
      older = isMissing(release) || !release.servesBuilds ? withOtherFrontEnds() : release
    }, BUILD_MS)
    afterAll(() => {
      if (!isMissing(older)) older.remove()
    })

    it(`gives ${LOADS} of ${LOADS} pages their own scripts, whichever process is asked, and one that was open its chunks`, {
      timeout: BUILD_MS,
    }, async (context) => {
      if (isMissing(older)) return context.skip(older.missing)
      const { start } = await installation()
      const old = await start(older.command)
      const newest = await start(HEYLINE)
      const balancer = await Balancer.start({ random: seeded(Math.floor(Math.random() * 2 ** 31)) })
      balancer.servers = [old.url, newest.url]
      closers.push(() => balancer.stop())
      const builds = new Map<string, string[]>()
      for (let n = 0; n < LOADS; n += 1) {
        const files = await load(balancer.url)
        builds.set(files.join(), files)
      }
      expect(builds.size).toBe(2)

      await old.end()
      balancer.servers = [newest.url]
      for (let n = 0; n < LOADS; n += 1) await load(balancer.url)
      for (const files of builds.values()) {
        const chunks = await chunksOf(balancer.url, files)
        expect(chunks.length).toBeGreaterThan(3)
        for (const chunk of chunks) await loadFile(balancer.url, chunk)
      }
      await newest.end()
    })
  })
})
