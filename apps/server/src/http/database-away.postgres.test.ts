import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { DatabaseLine, findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../log/log.js'
import { OutageLines } from '../log/outage-lines.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
const id = '00000000-0000-4000-8000-000000000000'

describe.skipIf(missing !== '')(`a server whose database is away${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-away-'))
  const outages = new OutageLines()
  const lines: { msg: string; level: number; leftOut?: Record<string, number> }[] = []
  let db: Db
  let line: DatabaseLine
  let server: Heyline
  let keys: Record<string, string>
  beforeAll(async () => {
    db = await openTestPostgres()
    line = await DatabaseLine.open(db)
    server = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: folder, DATABASE_URL: line.url, LIVE_STATUS: 'on' }),
      logger: openLog({ outages, out: { write: (text: string) => void lines.push(JSON.parse(text)) } }),
      outages,
    })
    lines.length = 0
    keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))
    line.cut()
  })
  afterAll(async () => {
    await server.close()
    await line.close()
    await db.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (path: string, { key = '', body }: { key?: string; body?: unknown } = {}) =>
    fetch(server.url + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })

  it.each<[string, () => Promise<Response>]>([
    ['the platform', () => ask(`/-/platform/call/${id}`, { key: keys.platformPrivate })],
    ['the backend', () => ask('/-/backend/rest/v1/visitors?select=slug', { key: keys.secret })],
    [
      'the accounts',
      () =>
        ask('/-/backend/auth/v1/token?grant_type=password', {
          key: keys.secret,
          body: { email: 'a@example.com', password: 'a password' },
        }),
    ],
    [
      'the webhook',
      () => ask('/-/backend/functions/v1/call-me', { body: { phone: '+14155552671', slug: 'default' } }),
    ],
    ['the operator API', () => ask('/-/office/visitors', { key: keys.secret })],
    ['live status', () => ask(`/-/calls/${id}/events`)],
    ['a page', () => ask('/default')],
  ])('answers 503 for %s, and when to come again', async (name, asking) => {
    const answer = await asking()
    expect(answer.status).toBe(503)
    if (name !== 'a page') expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.text()).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres:/)
  })

  it('says that it is alive and not ready, and is ready again once the database is back', async () => {
    expect((await ask('/-/live')).status).toBe(200)
    expect(await (await ask('/-/ready')).json()).toMatchObject({
      ready: false,
      checks: expect.arrayContaining([{ check: 'database', ok: false, reason: expect.any(String) }]),
    })
    const texts = () => lines.map(({ msg }) => msg)
    await expect.poll(texts, { timeout: 30_000 }).toContain('the call queue could not be read')
    for (let time = 0; time < 3; time++) await ask('/default')
    for (let time = 0; time < 3; time++) await ask(`/-/platform/call/${id}`, { key: keys.platformPrivate })
    line.mend()
    await expect.poll(async () => (await ask('/-/ready')).status, { timeout: 30_000 }).toBe(200)
    expect((await ask('/-/office/visitors', { key: keys.secret })).status).toBe(200)
  })

  it('has told of the outage once of each place, and tells when it is over', async () => {
    const isOver = ({ msg }: { msg: string }) => msg.startsWith('the database is back')
    await expect.poll(() => lines.filter(isOver).length, { timeout: 50_000 }).toBe(1)
    const texts = lines
      .filter(({ level, msg }) => level >= 40 && !msg.startsWith('the database is back'))
      .map(({ msg }) => msg)
    expect(texts).toEqual([...new Set(texts)])
    const { leftOut = {} } = lines.find(isOver) ?? {}
    expect(leftOut).toMatchObject({ 'platform request failed': 3, 'a visitor lookup failed': 3 })
  })

  it('is well again soon after its connections died in silence', async () => {
    const rang = () =>
      ask('/-/backend/functions/v1/call-me', { body: { phone: '+14155552671', slug: 'default' } })
    await Promise.all(Array.from({ length: 5 }, () => ask('/-/ready')))
    line.deafen()
    await Promise.all([ask('/default'), ask('/-/office/visitors', { key: keys.secret }), ask('/-/ready')])
    const ready = async () => (await ask('/-/ready')).status
    await expect.poll(ready, { timeout: 40_000 }).toBe(200)
    expect((await ask('/default')).status).toBe(200)
    expect((await rang()).status).toBe(202)
    const state = async () =>
      (await db.query<{ state: string }>('select state from call_desk.call_requests')).rows[0]?.state
    await expect.poll(state, { timeout: 20_000 }).toMatch(/^(ringing|in-progress|ended)$/)
  })
})
