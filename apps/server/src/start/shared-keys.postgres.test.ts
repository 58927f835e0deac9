import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { runHeyline } from '../testing/heyline-command.js'
import { type Heyline, startHeyline } from './heyline.js'

const HEYLINE_SECRET = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'
const ANOTHER = 'Zk3Q-8mW2-pX5c-Rt9d-Fy4n-Vs7h-Gb6j'

describe.each(DATABASES.filter(({ kind }) => kind === 'postgres'))('servers on one $name', ({ open }) => {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-keys-'))
  const servers: Heyline[] = []
  let db: Db
  let databaseUrl: string

  beforeAll(async () => {
    db = await open()
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    databaseUrl = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`)
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })
  afterAll(async () => {
    await db.close()
    rmSync(folder, { recursive: true })
  })

  const environment = (name: string, others: Record<string, string>) => ({
    PORT: '0',
    DATA_DIR: join(folder, name),
    DATABASE_URL: databaseUrl,
    ...others,
  })
  const start = async (name: string, others: Record<string, string>): Promise<Heyline> => {
    const settings = readSettings(environment(name, others))
    const server = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
    servers.push(server)
    return server
  }
  const keyInPage = async ({ url }: Heyline) =>
    /sb_publishable_[\w-]+/.exec(await (await fetch(`${url}/default`)).text())?.[0]

  it('have the same keys with the same HEYLINE_SECRET and no file in common', async () => {
    const [one, other] = [await start('one', { HEYLINE_SECRET }), await start('other', { HEYLINE_SECRET })]
    const key = await keyInPage(one)
    expect(key).toMatch(/^sb_publishable_[\w-]{43}$/)
    expect(await keyInPage(other)).toBe(key)
    const asked = await fetch(`${other.url}/-/backend/rest/v1/visitors?select=name&slug=eq.default`, {
      headers: { apikey: key ?? '', 'x-visitor-slug': 'default' },
    })
    expect([asked.status, await asked.json()]).toEqual([200, [{ name: 'there' }]])
    for (const name of ['one', 'other']) expect(existsSync(join(folder, name, 'keys.json'))).toBe(false)
  })

  it('are both found by the command where they have one data directory, as long as either lives', async () => {
    const first = await start('same', { HEYLINE_SECRET })
    await start('same', { HEYLINE_SECRET, PUBLIC_URL: first.url })
    const files = () => readdirSync(join(folder, 'same')).filter((name) => name.startsWith('server'))
    expect(files()).toHaveLength(2)
    const command = () => runHeyline(['visitors', 'list'], environment('same', { HEYLINE_SECRET }))
    for (const left of [2, 1]) {
      expect(files()).toHaveLength(left)
      // It opened no database of its own: that one would be complained of, as it is a superuser's.
      expect(await command()).toMatchObject({ code: 0, err: '' })
      await servers.shift()?.close()
    }
    expect(files()).toEqual([])
    expect((await command()).err).toContain('superuser')
  })

  it('refuse to start with others, and so do commands that seal; a change on purpose is accepted', async () => {
    await start('one', { HEYLINE_SECRET })
    const refused =
      /This process has other keys than the servers of its database: .*SUPABASE_SECRET_KEY.* \(of HEYLINE_SECRET\)/
    const changed = { HEYLINE_SECRET: ANOTHER }
    await expect(start('other', changed)).rejects.toThrow(refused)
    await expect(start('third', {})).rejects.toThrow(/SUPABASE_SECRET_KEY.* \(of .*keys\.json\)/)
    const rotated = await runHeyline(['keys', 'rotate'], environment('other', changed))
    expect(rotated).toMatchObject({ code: 1, out: '', err: expect.stringMatching(refused) })

    const accepted = await runHeyline(['keys', 'accept', '--json'], environment('other', changed))
    expect(accepted).toMatchObject({ code: 0 })
    expect(JSON.parse(accepted.out).replaced).toContain('SUPABASE_SECRET_KEY')
    expect((await runHeyline(['keys', 'accept'], environment('other', changed))).out).toBe(
      'The database knows these keys already\n',
    )
    const { rows } = await db.query(
      "select actor, detail from back_office.audit where action = 'keys_accepted'",
    )
    expect(rows).toEqual([
      { actor: 'command', detail: { settings: expect.arrayContaining(['PLATFORM_PRIVATE_KEY']) } },
    ])
    await start('other', changed)
    await expect(start('one', { HEYLINE_SECRET })).rejects.toThrow(refused)
    // Signing keys are in the database: a new one is no other key.
    expect(await runHeyline(['keys', 'rotate'], environment('elsewhere', changed))).toMatchObject({ code: 0 })
    await start('fourth', changed)
  })
})
