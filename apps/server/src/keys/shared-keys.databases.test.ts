import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { type Logger, pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { openKeyRing } from './key-ring.js'
import { acceptKeys, keyStandings, refuseOtherKeys, settleKeys } from './shared-keys.js'

const ROOT = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'

describe.each(DATABASES)('the keys of several servers, on $name', ({ kind, open }) => {
  let db: Db
  let folder: string
  let logger: Logger
  let said: { level: number; msg: string; settings: string[] }[]
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('delete from back_office.key_fingerprints')
    folder = mkdtempSync(join(tmpdir(), 'heyline-shared-'))
    said = []
    logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const own = (name: string, environment: Record<string, string> = {}) => {
    const settings = readSettings({ DATA_DIR: join(folder, name), ...environment })
    return { settings, keys: openKeyRing(settings.dataDirectory, settings.keys) }
  }
  const start = (name: string, environment?: Record<string, string>) =>
    settleKeys(db, own(name, environment), logger)
  /** What holds on this kind of database alone. */
  const on = (wanted: typeof kind, name: string, run: () => Promise<void>) => kind === wanted && it(name, run)

  it('are alike with one HEYLINE_SECRET and nothing else in common', async () => {
    await start('one', { HEYLINE_SECRET: ROOT })
    await start('other', { HEYLINE_SECRET: ROOT })
    await start('other', { HEYLINE_SECRET: ROOT })
    expect(said).toEqual([])
  })

  on(
    'postgres',
    'stop the start of a server with others, in a line that names them and says what to do',
    async () => {
      await start('one', { PLATFORM_PRIVATE_KEY: 'the-same-in-both' })
      const refused = start('other', {
        PLATFORM_PRIVATE_KEY: 'the-same-in-both',
        SUPABASE_SECRET_KEY: 'sb_secret_x',
      })
      await expect(refused).rejects.toMatchObject({ code: 'other_keys' })
      const { message } = (await refused.catch((error: Error) => error)) as Error
      const file = join(folder, 'other', 'keys.json')
      expect(message).toContain(
        `database: SUPABASE_PUBLISHABLE_KEY, SUPABASE_JWT_SECRET, PLATFORM_PUBLIC_KEY, PLATFORM_HOOK_SECRET (of ${file}); SUPABASE_SECRET_KEY. Visitors`,
      )
      expect(message).not.toMatch(/PLATFORM_PRIVATE_KEY|sb_secret_x|\n/)
      expect(message).toContain('run heyline keys accept with the new ones, then restart every server')
      // What was refused has changed nothing.
      await start('one', { PLATFORM_PRIVATE_KEY: 'the-same-in-both' })
    },
  )

  on('postgres', 'stop a command that would seal with others', async () => {
    const other = own('other')
    refuseOtherKeys(db, other, await keyStandings(db, other))
    await start('one')
    const standings = await keyStandings(db, other)
    expect(() => refuseOtherKeys(db, other, standings)).toThrow('This process has other keys')
  })

  on('pglite', 'are taken with one warning by who has lost keys.json', async () => {
    await start('one')
    rmSync(join(folder, 'one', 'keys.json'))
    await start('one')
    expect(said).toEqual([
      expect.objectContaining({
        settings: expect.arrayContaining(['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY']),
        msg: expect.stringMatching(/hold from now on.*cannot be opened: run heyline keys rotate/),
      }),
    ])
    await start('one')
    expect(said).toHaveLength(1)
  })

  it('of keys.json are not given up for HEYLINE_SECRET by a start', async () => {
    const moved = { HEYLINE_SECRET: ROOT }
    const line = `HEYLINE_SECRET: makes other keys than ${join(folder, 'one', 'keys.json')} has`
    const { keys } = own('one')
    // An installation of the time before fingerprints, and one of today.
    await expect(start('one', moved)).rejects.toThrow(line)
    await start('one')
    await expect(start('one', moved)).rejects.toThrow(line)

    const copied = {
      ...moved,
      SUPABASE_PUBLISHABLE_KEY: keys.publishable,
      SUPABASE_SECRET_KEY: keys.secret,
      SUPABASE_JWT_SECRET: keys.jwtSecret,
      PLATFORM_PUBLIC_KEY: keys.platformPublic,
      PLATFORM_PRIVATE_KEY: keys.platformPrivate,
      PLATFORM_HOOK_SECRET: keys.hookSecret,
    }
    await start('one', copied)
    await start('other', copied)

    await acceptKeys(db, own('one', moved), async () => {})
    await start('one', moved)
    expect(said).toEqual([])
  })

  it('are compared only where they are ours to check', async () => {
    const hosted = {
      SUPABASE_URL: 'https://project.supabase.co',
      SUPABASE_SECRET_KEY: 'sb_secret_of_the_project',
      PLATFORM_URL: 'https://platform.example',
      PLATFORM_ASSISTANT_ID: 'assistant',
      PLATFORM_HOOK_SECRET: 'a-hook-secret-of-24-characters',
    }
    const first = { SUPABASE_PUBLISHABLE_KEY: 'p1', PLATFORM_PUBLIC_KEY: 'p1', PLATFORM_PRIVATE_KEY: 's1' }
    const rotated = { SUPABASE_PUBLISHABLE_KEY: 'p2', PLATFORM_PUBLIC_KEY: 'p2', PLATFORM_PRIVATE_KEY: 's2' }
    await start('one', { ...hosted, ...first })
    await start('other', { ...hosted, ...rotated })
    expect(said).toEqual([])
    const { rows } = await db.query('select key from back_office.key_fingerprints order by key')
    expect(rows).toEqual([{ key: 'PLATFORM_HOOK_SECRET' }, { key: 'SUPABASE_SECRET_KEY' }])
  })

  it('include the key of the pocket phone, where one is set', async () => {
    await start('one', { HEYLINE_SECRET: ROOT, PHONE_KEY: 'a-key-for-the-phone' })
    const other = own('other', { HEYLINE_SECRET: ROOT, PHONE_KEY: 'another-key-for-it' })
    const standings = await keyStandings(db, other)
    expect([...standings].filter(([, standing]) => standing !== 'known')).toEqual([['PHONE_KEY', 'other']])
  })
})
