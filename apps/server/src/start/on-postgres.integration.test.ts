import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from './heyline.js'

// The quick run opens every other server on PGlite. What only Postgres has must not keep a server from its start.
describe.skipIf(findPostgres() === undefined)('a server on Postgres', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-on-postgres-'))
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let server: Heyline

  beforeAll(async () => {
    postgres = await startPostgres()
    const settings = readSettings({ PORT: '0', DATA_DIR: folder, DATABASE_URL: postgres.url })
    server = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
  })
  afterAll(async () => {
    await server?.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })

  it('is ready, greets a visitor, and answers the page’s own lookup', async () => {
    expect((await fetch(`${server.url}/-/ready`)).status).toBe(200)
    const page = await (await fetch(`${server.url}/default`)).text()
    expect(page).toContain('Hey there,')
    const asked = await fetch(`${server.url}/-/backend/rest/v1/visitors?select=name&slug=eq.default`, {
      headers: { apikey: /sb_publishable_[\w-]+/.exec(page)?.[0] ?? '', 'x-visitor-slug': 'default' },
    })
    expect([asked.status, await asked.json()]).toEqual([200, [{ name: 'there' }]])
  })
})
