import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, keptTables } from '@heyline/database'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '../database/open-db.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { runHeyline, testDirectory } from '../testing/heyline-command.js'
import { isKept } from './kept-rows.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery staple'
/** Given by a setting of its own, so that it does not derive from the secret. */
const HOOK_SECRET = 'hook-secret-of-the-old-installation'
const CALL = '11111111-1111-4111-8111-111111111111'
const logger = pino({ level: 'silent' })

const KINDS = ['PGlite', ...(findPostgres() ? ['Postgres'] : [])]
const WAYS = KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const))

let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
const place = testDirectory()
let secret = ''
beforeAll(async () => {
  if (findPostgres()) {
    postgres = await startPostgres()
    const db = await openDb(readSettings({ DATABASE_URL: postgres.url }), logger)
    // As packages/database/README.md says: no superuser.
    await db
      .exec('create role heyline login nosuperuser nobypassrls noinherit createrole')
      .finally(() => db.close())
  }
  secret = JSON.parse((await runHeyline(['secret', '--json'], {})).out).HEYLINE_SECRET
})
afterAll(async () => {
  await postgres?.stop()
  place.remove()
})

let databases = 0
/** Settings of an installation on an empty disk and an empty database of this kind. */
async function emptyPlace(kind: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
  databases += 1
  const name = `place_${databases}`
  const environment = { PORT: '0', DATA_DIR: join(place.path, name), HEYLINE_SECRET: secret, ...more }
  if (kind === 'PGlite') return environment
  const url = postgres?.url ?? ''
  const administer = async (to: string, sql: string) => {
    const db = await openDb(readSettings({ DATABASE_URL: to }), logger)
    await db.exec(sql).finally(() => db.close())
  }
  await administer(url, `create database ${name} owner heyline`)
  await administer(url.replace('/postgres?', `/${name}?`), 'alter schema public owner to heyline')
  return {
    ...environment,
    DATABASE_URL: url.replace('postgres@', 'heyline@').replace('/postgres?', `/${name}?`),
  }
}

const start = (environment: Record<string, string>): Promise<Heyline> =>
  startHeyline({ settings: readSettings(environment), logger })

async function withDb<T>(environment: Record<string, string>, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDb(readSettings(environment), logger)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Every row that a backup keeps, as text. */
const rowsOf = (environment: Record<string, string>): Promise<Record<string, string[]>> =>
  withDb(environment, async (db) => {
    const content: Record<string, string[]> = {}
    for (const { name, columns } of await keptTables(db, isKept)) {
      const values = columns.map((column) => `"${column.name}"::text`).join(', ')
      const { rows } = await db.query<{ row: string }>(
        `select array_to_json(array[${values}]::text[])::text as row from ${name} order by 1`,
      )
      content[name] = rows.map(({ row }) => row)
    }
    return content
  })

const keysOf = async (environment: Record<string, string>) => {
  const { from: _, ...ring } = JSON.parse((await runHeyline(['keys', '--json'], environment)).out)
  return ring
}

const send = (heyline: Heyline, method: string, path: string, cookie: string, body?: unknown) =>
  fetch(`${heyline.url}/-/office${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie, ...(method !== 'GET' && { origin: heyline.url }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
const cookieOf = (answer: Response) => /^[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''

/** An installation that was used: an owner who is signed in, a visitor, a call that was talked, and one that waits to be dialled. */
async function used(kind: string) {
  const environment = await emptyPlace(kind, { PLATFORM_HOOK_SECRET: HOOK_SECRET })
  const heyline = await start(environment)
  const code = /#setup=([\w-]+)/.exec(heyline.banner)?.[1]
  const made = await send(heyline, 'POST', '/session/set-up', '', { code, email: EMAIL, password: PASSWORD })
  expect(made.status).toBe(201)
  const cookie = cookieOf(made)
  // Tokens of operators name the address of their server, which the other place takes over.
  environment.PORT = new URL(heyline.url).port
  const visitor = { slug: 'acme', name: 'Acme', system: 'You answer for Acme.' }
  expect((await runHeyline(['visitors', 'add', 'acme', '--name', visitor.name], environment)).code).toBe(0)
  return { environment, heyline, cookie }
}

describe.each(WAYS)('a backup of %s, restored elsewhere into %s', (from, to) => {
  const file = join(place.path, `${from}-${to}.backup`)
  let old: Awaited<ReturnType<typeof used>>
  let elsewhere: Record<string, string>

  it('is made while the server runs', async () => {
    old = await used(from)
    await old.heyline.close()
    await withDb(old.environment, (db) =>
      db.exec(`
        insert into call_desk.call_requests (id, phone, slug, body_hash, state, outcome, transcript, ended_at, sent_at)
        values ('${CALL}', '+12025550101', 'acme', 'x', 'ended', 'completed', 'User: Do you open on Sunday?', now(), now());
        insert into call_desk.call_requests (phone, slug, body_hash, state, run_at)
        values ('+12025550102', 'default', 'x', 'queued', now() + interval '1 hour')`),
    )
    old.heyline = await start(old.environment)
    try {
      const { code, out, err } = await runHeyline(['db', 'backup', file], old.environment)
      expect([code, err, out]).toEqual([0, '', expect.stringContaining('sealed with HEYLINE_SECRET')])
    } finally {
      await old.heyline.close()
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).subarray(0, 8).toString()).toBe('HEYLINEB')
    for (const word of ['acme', 'Sunday', '2025550101', HOOK_SECRET])
      expect(readFileSync(file).includes(word)).toBe(false)
  })

  it('changes nothing where it is cut off, changed, or sealed with another secret', async () => {
    elsewhere = await emptyPlace(to)
    const whole = readFileSync(file)
    const changed = Buffer.from(whole)
    const middle = whole.length >> 1
    changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle)
    const wrong = `${file}.wrong`
    const cases: [Buffer, string, Record<string, string>][] = [
      [whole.subarray(0, whole.length - 1), 'not_a_backup', {}],
      [whole.subarray(0, whole.length >> 1), 'not_a_backup', {}],
      [changed, 'not_a_backup', {}],
      [whole, 'other_secret', { HEYLINE_SECRET: [...secret].reverse().join('') }],
    ]
    for (const [bytes, code, settings] of cases) {
      writeFileSync(wrong, bytes)
      const refused = await runHeyline(['db', 'restore', wrong, '--json'], { ...elsewhere, ...settings })
      expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, code])
    }
    if (to === 'PGlite') expect(existsSync(join(elsewhere.DATA_DIR ?? '', 'pglite', 'pgdata'))).toBe(false)
    else
      await withDb(elsewhere, async (db) => {
        const { rows } = await db.query("select to_regclass('public.visitors') is null as empty")
        expect(rows).toEqual([{ empty: true }])
      })
  })

  it('has the same rows, the same keys, and says which settings are missing', async () => {
    const { code, out, err } = await runHeyline(['db', 'restore', file, '--json'], elsewhere)
    expect([code, err]).toEqual([0, ''])
    const keysFile = join(elsewhere.DATA_DIR ?? '', 'restored-keys.env')
    expect(JSON.parse(out)).toMatchObject({
      takenAt: expect.stringMatching(/^\d{4}-/),
      endedCalls: 1,
      keys: ['PLATFORM_HOOK_SECRET'],
      keysFile,
    })
    expect(statSync(keysFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(keysFile, 'utf8')).toBe(`PLATFORM_HOOK_SECRET=${HOOK_SECRET}\n`)
    Object.assign(elsewhere, { PLATFORM_HOOK_SECRET: HOOK_SECRET, PORT: old.environment.PORT })
    expect(await keysOf(elsewhere)).toEqual(await keysOf(old.environment))

    // But for the call that waited: it may have been placed since, and is not placed again. And for what was noted after the backup.
    const [then, now] = [await rowsOf(old.environment), await rowsOf(elsewhere)]
    const told = ['call_desk.call_requests', 'back_office.audit', 'timeline.events', 'timeline.visitors']
    const others = (content: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(content).filter(([name]) => !told.includes(name)))
    expect(others(now)).toEqual(others(then))
    expect(now['call_desk.call_requests']).toHaveLength(2)
    expect(then['call_desk.call_requests']).toEqual(
      expect.arrayContaining((now['call_desk.call_requests'] ?? []).filter((row) => row.includes(CALL))),
    )
    for (const row of now['back_office.audit'] ?? []) expect(then['back_office.audit']).toContain(row)
    const ofAcme = (rows: string[] = []) => rows.filter((row) => row.startsWith('["acme"'))
    expect(ofAcme(now['timeline.visitors'])).toEqual(ofAcme(then['timeline.visitors']))
    expect(ofAcme(now['timeline.visitors'])).toHaveLength(1)
    for (const row of then['timeline.events'] ?? []) expect(now['timeline.events']).toContain(row)
    expect(now['back_office.operators']?.length).toBe(1)
  })

  it('lets the operator in, who was signed in or signs in, and shows the call', async () => {
    const heyline = await start(elsewhere)
    try {
      const me = await send(heyline, 'GET', '/operators/me', old.cookie)
      expect([me.status, await me.json()]).toMatchObject([200, { email: EMAIL, role: 'owner' }])
      const signedIn = await send(heyline, 'POST', '/session/sign-in', '', {
        email: EMAIL,
        password: PASSWORD,
      })
      expect(signedIn.status).toBe(200)
      const call = await send(heyline, 'GET', `/call?id=${CALL}`, cookieOf(signedIn))
      expect(await call.json()).toMatchObject({ slug: 'acme', transcript: 'User: Do you open on Sunday?' })
      const listed = await runHeyline(['calls', 'list', '--json', '--state', 'failed'], elsewhere)
      expect(JSON.parse(listed.out)).toMatchObject([{ slug: 'default', state: 'failed', phone: '…02' }])
      const page = await fetch(`${heyline.url}/acme`)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Acme')])
    } finally {
      await heyline.close()
    }
  })

  it('is not put over what is there, unless somebody says so', async () => {
    const refused = await runHeyline(['db', 'restore', file, '--json'], elsewhere)
    expect([refused.code, JSON.parse(refused.err).error.message]).toEqual([
      1,
      expect.stringContaining('--yes'),
    ])
    await withDb(elsewhere, (db) => db.exec("delete from public.visitors where slug = 'acme'"))
    const { code, err } = await runHeyline(['db', 'restore', file, '--yes'], elsewhere)
    expect([code, err]).toEqual([0, ''])
    await withDb(elsewhere, async (db) => {
      const { rows } = await db.query("select name from public.visitors where slug = 'acme'")
      expect(rows).toEqual([{ name: 'Acme' }])
    })
  })
})

it('is made by a server by itself, and is restored like any other', async () => {
  const folder = join(place.path, 'scheduled')
  const environment = await emptyPlace(KINDS.at(-1) ?? '', { BACKUP_EVERY_HOURS: '24', BACKUP_DIR: folder })
  const first = await start(environment)
  try {
    await expect
      .poll(() => runHeyline(['doctor', '--json', '--no-speech'], environment).then(({ out }) => out), {
        timeout: 60_000,
      })
      .toContain('0 hours old')
  } finally {
    await first.close()
  }
  const elsewhere = await emptyPlace('PGlite')
  const name = readdirSync(folder)
  expect(name).toEqual([expect.stringMatching(/^heyline-\d{8}T\d{6}Z\.backup$/)])
  expect((await runHeyline(['db', 'restore', join(folder, name[0] ?? '')], elsewhere)).code).toBe(0)
})
