import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkBackup, type Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkBackups } from '../doctor/backups-check.js'
import { readSettings } from '../settings/settings.js'
import { testDirectory } from '../testing/heyline-command.js'
import { readBackupFigures } from './backup-turns.js'
import { ScheduledBackups } from './scheduled-backups.js'

const SECRET = 'q3Gm0c9XwZr5tYb7uHk2nLd8sFa4jEv6'
const NOW = Date.parse('2026-11-24T03:00:00Z')

describe.each(DATABASES)('scheduled backups of $name', ({ open }) => {
  let db: Db
  let place: ReturnType<typeof testDirectory>
  let folder: string
  let clock: ManualClock
  let lines: string[]
  const opened: ScheduledBackups[] = []
  beforeEach(async () => {
    db = await open()
    place = testDirectory()
    folder = join(place.path, 'backups')
    clock = new ManualClock(NOW)
    lines = []
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await db.close()
    place.remove()
  })

  const settings = (more: Record<string, string> = {}) => {
    const read = readSettings({
      DATA_DIR: place.path,
      HEYLINE_SECRET: SECRET,
      BACKUP_EVERY_HOURS: '24',
      BACKUP_KEEP: '3',
      ...more,
    })
    if (!read.backups) throw new Error('no backups are scheduled')
    return { ...read, backups: read.backups }
  }
  const server = (holder: string, more?: Record<string, string>) => {
    const logger = pino({}, { write: (line) => lines.push(line) })
    const scheduled = new ScheduledBackups({ db, settings: settings(more), holder, logger, clock })
    opened.push(scheduled)
    return scheduled
  }
  const dueNow = () => db.exec("update back_office.backups set due_at = now() - interval '1 second'")

  it('are made by one of several processes, sealed and whole, and then not until they are due', async () => {
    const servers = [server('one'), server('two'), server('three')]
    const made = (await Promise.all(servers.map((each) => each.runDue()))).filter(
      (file) => file !== undefined,
    )
    expect(made).toEqual([join(folder, 'heyline-20261124T030000Z.backup')])
    const [file = ''] = made
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(await checkBackup({ file, secret: SECRET })).toMatchObject({
      kind: db.kind === 'pglite' ? 'files' : 'rows',
    })
    await expect(checkBackup({ file })).rejects.toMatchObject({ code: 'no_secret' })
    for (const each of servers) expect(await each.runDue()).toBeUndefined()
    const { rows } = await db.query('select due_at - began_at as every from back_office.backups')
    expect(rows).toEqual([{ every: '1 day' }])
    expect(await readBackupFigures(db)).toMatchObject({
      ageSeconds: expect.any(Number),
      bytes: statSync(file).size,
      hasFailed: false,
    })
    clock.advance(24 * 3_600_000)
    await dueNow()
    expect(await servers[1]?.runDue()).toBe(join(folder, 'heyline-20261125T030000Z.backup'))
  })

  it('are kept so many, and nothing else is touched', async () => {
    mkdirSync(folder)
    const older = [1, 2, 3, 4].map((day) => `heyline-202611${10 + day}T030000Z.backup`)
    const draft = 'heyline-20261101T030000Z.backup.0a1b2c3d.partial'
    const others = ['mine.backup', 'heyline-20261101T030000Z.backup.txt', 'heyline-1.backup']
    for (const name of [...older, ...others, draft]) writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, draft), (NOW - 25 * 3_600_000) / 1000, (NOW - 25 * 3_600_000) / 1000)
    await server('one').runDue()
    const newest = 'heyline-20261124T030000Z.backup'
    expect(readdirSync(folder).sort()).toEqual([...others, ...older.slice(2), newest].sort())
  })

  it('remove nothing while the new one fails, say why, and are tried again within 15 minutes', async () => {
    mkdirSync(folder)
    const older = Array.from({ length: 5 }, (_, day) => `heyline-2026111${day}T030000Z.backup`)
    for (const name of older) writeFileSync(join(folder, name), 'x')
    // Its place is taken by a folder that is not empty.
    mkdirSync(join(folder, 'heyline-20261124T030000Z.backup', 'x'), { recursive: true })
    const one = server('one')
    expect(await one.runDue()).toBeUndefined()
    expect(readdirSync(folder).filter((name) => older.includes(name))).toEqual(older)
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
    expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)).toMatchObject([
      { msg: 'the scheduled backup failed; it is tried again within 15 minutes' },
    ])
    expect(await readBackupFigures(db)).toMatchObject({ ageSeconds: undefined, hasFailed: true })
    const { rows } = await db.query(
      `select due_at > now() + interval '14 minutes' and due_at <= now() + interval '15 minutes' as soon, failure is not null as why
       from back_office.backups`,
    )
    expect(rows).toEqual([{ soon: true, why: true }])
    clock.advance(900_000)
    await dueNow()
    expect(await one.runDue()).toBe(join(folder, 'heyline-20261124T031500Z.backup'))
    expect(await readBackupFigures(db)).toMatchObject({ hasFailed: false })
  })

  it('are due when a clock that was ahead is right again', async () => {
    await server('one').runDue()
    expect(await server('one').runDue()).toBeUndefined()
    await db.exec("update back_office.backups set due_at = due_at + interval '1 day'")
    clock.advance(1_000)
    expect(await server('one').runDue()).toMatch(/\.backup$/)
    await dueNow()
    await db.exec("update back_office.backups set holder = 'lost', lease_until = now() + interval '1 day'")
    clock.advance(1_000)
    expect(await server('two').runDue()).toMatch(/\.backup$/)
  })

  it('are begun anew by another process when one is lost, and only then', async () => {
    await db.exec(
      "insert into back_office.backups (holder, began_at, lease_until) values ('lost', now(), now() + interval '1 minute')",
    )
    const two = server('two')
    expect(await two.runDue()).toBeUndefined()
    await db.exec("update back_office.backups set lease_until = now() - interval '1 second'")
    expect(await two.runDue()).toMatch(/\.backup$/)
  })

  it('are given up by a process that stops, and left to the others', async () => {
    const one = server('one')
    const [made] = await Promise.all([one.runDue(), one.close()])
    expect(made).toBeUndefined()
    expect(readdirSync(place.path).length === 0 || readdirSync(folder)).toEqual([])
    const { rows } = await db.query(
      'select due_at <= now() as due, lease_until < now() as free, failed_at from back_office.backups',
    )
    expect(rows).toEqual([{ due: true, free: true, failed_at: null }])
    expect(await server('two').runDue()).toMatch(/\.backup$/)
  })

  it('are shown by the doctor', async () => {
    const shown = async (now: number) =>
      (await checkBackups(settings(), now)).map(({ status, message }) => [status, message])
    expect(await shown(NOW)).toEqual([['ok', `${folder} holds none yet`]])
    await server('one').runDue()
    expect(await shown(NOW + 3_600_000)).toEqual([['ok', `the newest in ${folder} is 1 hours old`]])
    expect(await shown(NOW + 49 * 3_600_000)).toEqual([['warn', `the newest in ${folder} is 49 hours old`]])
    expect(await checkBackups({})).toEqual([])
  })

  it('hold the keys that do not derive from the secret, out of sight', async () => {
    const key = 'sb_secret_of-the-environment-alone'
    const file = (await server('one', { SUPABASE_SECRET_KEY: key }).runDue()) ?? ''
    expect(await checkBackup({ file, secret: SECRET })).toMatchObject({ keys: { SUPABASE_SECRET_KEY: key } })
    expect(readFileSync(file).includes(key)).toBe(false)
  })
})
