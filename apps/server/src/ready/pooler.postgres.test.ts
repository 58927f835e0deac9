import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { findPgBouncer, findPostgres, openTestPostgres, startPgBouncer } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../log/log.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'

const missing =
  findPostgres() && findPgBouncer() ? '' : ' (left out: Postgres or PgBouncer is not installed here)'

describe.skipIf(missing !== '')(`a server behind PgBouncer without a direct URL${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-pooler-'))
  const lines: string[] = []
  let db: Db
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>
  let server: Heyline
  beforeAll(async () => {
    db = await openTestPostgres()
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    const url = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`)
    bouncer = await startPgBouncer({ postgres: url })
    server = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: folder, DATABASE_URL: bouncer.through(url) }),
      logger: openLog({ level: 'warn', out: { write: (line: string) => void lines.push(line) } }),
    })
  })
  afterAll(async () => {
    await server.close()
    await bouncer.stop()
    await db.close()
    rmSync(folder, { recursive: true })
  })

  it('says at the start what to do, and is not ready for that reason alone', async () => {
    expect(lines.join()).toContain('set DATABASE_DIRECT_URL to a connection past it')
    const answer = await fetch(`${server.url}/-/ready`)
    expect(answer.status).toBe(503)
    const { checks } = await answer.json()
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([
      { check: 'notifications', ok: false, reason: expect.stringContaining('DATABASE_DIRECT_URL') },
    ])
    expect((await fetch(`${server.url}/-/live`)).status).toBe(200)
    expect((await fetch(`${server.url}/default`)).status).toBe(200)
  })
})
