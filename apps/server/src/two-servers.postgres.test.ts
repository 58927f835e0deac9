import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOfficeClient, type OfficeClient } from '@heyline/back-office/client'
import type { Db } from '@heyline/database'
import { findPgBouncer, findPostgres, openTestPostgres, startPgBouncer } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'

/** How they reach the database: past nobody, or through a pooler in transaction mode. */
const WAYS = [
  { name: 'a Postgres', isMissing: !findPostgres(), isPooled: false },
  {
    name: 'a Postgres behind PgBouncer',
    isMissing: !findPostgres() || !findPgBouncer(),
    isPooled: true,
  },
].map(({ isMissing, ...way }) => ({
  ...way,
  isMissing,
  missing: isMissing ? ' (left out: it is not installed here)' : '',
}))

describe.each(WAYS)('two servers on $name$missing', ({ isMissing, isPooled }) => {
  if (isMissing) return it.skip('share what they do')
  const folder = mkdtempSync(join(tmpdir(), 'heyline-two-'))
  const servers: Heyline[] = []
  let db: Db
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined
  let offices: OfficeClient[] = []

  beforeAll(async () => {
    db = await openTestPostgres()
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    const databaseUrl = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`)
    bouncer = isPooled ? await startPgBouncer({ postgres: databaseUrl }) : undefined
    const database = bouncer
      ? { DATABASE_URL: bouncer.through(databaseUrl), DATABASE_DIRECT_URL: databaseUrl }
      : { DATABASE_URL: databaseUrl }
    const start = async (name: string, others: Record<string, string>) => {
      const directory = join(folder, name)
      mkdirSync(directory)
      const [first] = servers
      // Servers of one installation have one set of keys, and one public address.
      if (first) copyFileSync(join(folder, 'one', 'keys.json'), join(directory, 'keys.json'))
      const settings = readSettings({
        PORT: '0',
        DATA_DIR: directory,
        ...database,
        ...(first && { PUBLIC_URL: first.url }),
        ...others,
      })
      servers.push(await startHeyline({ settings, logger: pino({ level: 'silent' }) }))
      const { url } = JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8'))
      const { secret } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
      return createOfficeClient({ url, headers: { authorization: `Bearer ${secret}` } })
    }
    offices = [await start('one', {}), await start('other', {})]
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    await bouncer?.stop()
    await db.close()
    rmSync(folder, { recursive: true })
  })

  it('are ready', async () => {
    for (const { url } of servers) {
      const answer = await fetch(`${url}/-/ready`)
      expect([answer.status, await answer.json()]).toMatchObject([200, { ready: true }])
    }
  })

  it('tell consoles of both what either does, and end a call that the other one placed', async () => {
    const [one, other] = offices
    if (!one || !other) throw new Error('Two servers were to start')
    const leaving = new AbortController()
    const states: Record<'one' | 'other', string[]> = { one: [], other: [] }
    const pauses: boolean[] = []
    const changes: string[] = []
    const follow = async (name: 'one' | 'other', office: OfficeClient) => {
      for await (const part of office.live.follow(undefined, leaving.signal))
        for (const { event, data } of part)
          if (event === 'call') states[name].push(data.line?.state ?? 'gone')
          else if (name === 'other' && event === 'switches') pauses.push(data.pausedAt !== null)
          else if (name === 'other') changes.push(event)
    }
    const over = [follow('one', one), follow('other', other)].map((each) => each.catch(() => {}))
    await expect.poll(() => pauses, { timeout: 5000 }).toEqual([false])
    await one.visitors.add({ slug: 'acme', name: 'Acme' })
    await expect.poll(() => changes.toSorted(), { timeout: 5000 }).toEqual(['audit', 'timeline', 'visitors'])

    const asked = await fetch(`${servers[0]?.url}/-/backend/functions/v1/call-me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone: '+14155552671', slug: 'default' }),
    })
    const { id } = await asked.json()
    for (const heard of Object.values(states))
      await expect.poll(() => heard.at(-1), { timeout: 5000 }).toBe('ringing')
    expect(await other.calls.end({ id })).toEqual({ id })
    for (const heard of Object.values(states))
      await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toBe('ended')
    expect(await one.calls.show({ id })).toMatchObject({ state: 'ended', hangUpReason: 'operator' })

    await one.calls.pause()
    await expect.poll(() => pauses.at(-1), { timeout: 5000 }).toBe(true)
    await one.calls.resume()
    expect(await other.calls.remove({ id })).toEqual({ id, platformRecord: 'removed' })
    await expect.poll(() => states.one.at(-1), { timeout: 5000 }).toBe('gone')
    leaving.abort()
    await Promise.all(over)
  })
})
