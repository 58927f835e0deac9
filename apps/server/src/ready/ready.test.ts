import { readdirSync } from 'node:fs'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { SQL_FOLDER } from '../database/open-db.js'
import { Readiness } from '../drain/readiness.js'
import { Ready } from './ready.js'

const RIGHT = ['database', 'writable', 'notifications', 'migrations', 'draining']

const APPLIED = readdirSync(new URL('migrations/', SQL_FOLDER)).map((file) => ({
  version: file.slice(0, 14),
  checksum: null,
}))

/** A database that answers as told, and counts what it is asked. */
function readyOf() {
  const clock = new ManualClock()
  const state = {
    standby: false,
    readOnly: false,
    isAway: false,
    isSilent: false,
    isDeaf: false,
    applied: true,
  }
  const asked = { state: 0, schema: 0, notify: 0, listen: 0 }
  let heard: (word: string) => void = () => {}
  const answer = (sql: string, parameters: readonly unknown[]): unknown[] => {
    if (/pg_is_in_recovery/.test(sql)) {
      asked.state += 1
      return [{ standby: state.standby, readOnly: state.readOnly }]
    }
    if (/schema_migrations/.test(sql)) {
      asked.schema += 1
      return state.applied ? APPLIED : []
    }
    asked.notify += 1
    if (!state.isDeaf) heard(String(parameters[1]))
    return []
  }
  const db: Db = {
    kind: 'postgres',
    query: async <Row>(sql: string, parameters: readonly unknown[] = []) => {
      if (state.isAway) throw new Error('postgres://heyline:password@db is away')
      if (state.isSilent) return await new Promise<never>(() => {})
      const rows = answer(sql, parameters)
      return { rows: rows as Row[], rowCount: rows.length }
    },
    exec: async () => {},
    transaction: async () => {
      throw new Error('Nothing here needs a transaction')
    },
    listen: async (_, hears) => {
      asked.listen += 1
      heard = hears
      return async () => {}
    },
    close: async () => {},
  }
  const readiness = new Readiness()
  const ready = new Ready({ db, folder: SQL_FOLDER, readiness, clock })
  const ask = async () => {
    const response = await ready.ready()
    const body = (await response.json()) as {
      ready: boolean
      checks: { check: string; ok: boolean; reason?: string }[]
    }
    return { status: response.status, ...body, failed: body.checks.filter(({ ok }) => !ok) }
  }
  return { clock, state, asked, readiness, ready, ask }
}

it('says of each check whether it holds', async () => {
  const { ask } = readyOf()
  const { status, ready, checks } = await ask()
  expect([status, ready]).toEqual([200, true])
  expect(checks).toEqual(RIGHT.map((check) => ({ check, ok: true })))
})

it('asks once for all who ask, however often strangers do', async () => {
  const { clock, asked, ask } = readyOf()
  await Promise.all(Array.from({ length: 1_000 }, ask))
  clock.advance(999)
  await ask()
  expect(asked).toEqual({ state: 1, schema: 1, notify: 1, listen: 1 })
  for (let second = 0; second < 4; second += 1) {
    clock.advance(1_000)
    await ask()
  }
  expect(asked).toEqual({ state: 5, schema: 1, notify: 1, listen: 1 })
  clock.advance(1_000)
  await ask()
  expect(asked).toEqual({ state: 6, schema: 2, notify: 2, listen: 1 })
})

it.each([
  [{ readOnly: true }, 'writable', 'default_transaction_read_only is on'],
  [{ standby: true }, 'writable', 'lead DATABASE_URL to the primary'],
  [{ applied: false }, 'migrations', 'restart this server'],
])('is not ready with %j, and says what to do', async (change, check, words) => {
  const { state, ask } = readyOf()
  Object.assign(state, change)
  const { status, failed } = await ask()
  expect(status).toBe(503)
  expect(failed.find((failure) => failure.check === check)?.reason).toContain(words)
})

it('is not ready while notifications are not heard, and is again when they are', async () => {
  const { clock, state, asked, ask } = readyOf()
  state.isDeaf = true
  const asking = ask()
  await vi.waitFor(() => expect(asked.notify).toBe(1))
  clock.advance(2_000)
  expect((await asking).failed).toContainEqual({
    check: 'notifications',
    ok: false,
    reason: expect.stringContaining('DATABASE_DIRECT_URL'),
  })
  state.isDeaf = false
  clock.advance(5_000)
  expect((await ask()).failed.map(({ check }) => check)).not.toContain('notifications')
})

it('waits two seconds for a database that does not answer, and tells nothing of its address', async () => {
  const { clock, state, ask } = readyOf()
  state.isSilent = true
  const silent = ask()
  clock.advance(2_000)
  expect(await silent).toMatchObject({ status: 503, ready: false })
  Object.assign(state, { isSilent: false, isAway: true })
  clock.advance(1_000)
  const away = await ask()
  expect(away.failed.map(({ check }) => check)).toEqual([
    'database',
    'writable',
    'notifications',
    'migrations',
  ])
  expect(JSON.stringify(away)).not.toContain('password')
})

it('is not ready from the moment that it drains, and lives on', async () => {
  const { readiness, ready, ask } = readyOf()
  await ask()
  readiness.state({ code: 'draining', message: 'The server is about to stop.' })
  const { status, failed } = await ask()
  expect(status).toBe(503)
  expect(failed).toContainEqual({ check: 'draining', ok: false, reason: 'The server is about to stop.' })
  expect(ready.live().status).toBe(200)
})
