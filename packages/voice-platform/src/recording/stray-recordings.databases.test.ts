import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { DATABASES, leapDate } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Recordings } from './recordings.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe.each(DATABASES)('files of recordings on $name', ({ open }) => {
  let db: Db
  let folder: string
  let disk: string
  const opened: Recordings[] = []

  /** A server with this folder; each looks for such files in its first round. */
  const server = () => {
    const recordings = new Recordings({
      ...{ folder, everyCall: true, announcement: 'We record this.', format: 'ogg', days: 30 },
      ...{ key: new Uint8Array(), db, process: randomUUID(), clock: new ManualClock(Date.now()) },
      logger: pino({ level: 'silent' }),
    })
    opened.push(recordings)
    return recordings
  }
  const file = (name: string, ageMs: number) => {
    const path = join(folder, name)
    writeFileSync(path, 'sound')
    const at = new Date(Date.now() - ageMs)
    utimesSync(path, at, at)
    return name
  }
  /** Both files of a call. */
  const recorded = (callId: string, ageMs: number) =>
    ['mono', 'stereo'].map((kind) => file(`${callId}.${kind}.ogg`, ageMs))
  const row = async (days: number, on = disk, state = 'whole') => {
    const callId = randomUUID()
    await db.query(
      `insert into voice_platform.recordings (call_id, disk, process, format, state, created_at)
       values ($1, $2, $3, 'ogg', $4, now() - $5::float8 * interval '1 day')`,
      [callId, on, randomUUID(), state, days],
    )
    return callId
  }
  const left = () =>
    readdirSync(folder)
      .filter((name) => name !== 'disk-id')
      .sort()

  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('delete from voice_platform.recordings; delete from back_office.date_checks')
    folder = mkdtempSync(join(tmpdir(), 'heyline-strays-'))
    disk = await server().folder.open()
  })
  afterEach(async () => {
    for (const recordings of opened.splice(0)) await recordings.close()
    rmSync(folder, { recursive: true })
  })

  it('go where no row names them, as after a restore, and all others stay', async () => {
    const kept = [
      ...recorded(await row(2), 2 * DAY_MS),
      // Another server's, whose files somebody has put here.
      ...recorded(await row(0, randomUUID()), 2 * DAY_MS),
      // A file that somebody may still write.
      ...recorded(randomUUID(), HOUR_MS / 2),
      file('notes.txt', 2 * DAY_MS),
      file(`${randomUUID()}.mono.mp3`, 2 * DAY_MS),
      file(`copy of ${randomUUID()}.mono.ogg`, 2 * DAY_MS),
    ]
    for (let call = 0; call < 120; call += 1) recorded(randomUUID(), 2 * HOUR_MS)
    const directory = `${randomUUID()}.mono.ogg`
    mkdirSync(join(folder, directory))
    const link = `${randomUUID()}.stereo.ogg`
    symlinkSync('notes.txt', join(folder, link))
    // Two servers share the folder.
    await Promise.all([server().run(), server().run()])
    expect(left()).toEqual([...kept, directory, link].sort())
  })

  it('stay as long as recordings do where the database has not known the folder for a day: it may be the wrong one', async () => {
    await row(0.5, disk, 'running')
    const young = recorded(randomUUID(), 29 * DAY_MS)
    recorded(randomUUID(), 31 * DAY_MS)
    await server().run()
    expect(left()).toEqual(young)
  })

  it('stay while the date is doubted, old or of no row; those of a removed call go all the same', async () => {
    const young = recorded(await row(2), DAY_MS)
    const old = recorded(await row(40), DAY_MS)
    const stray = recorded(randomUUID(), DAY_MS)
    const removed = await row(2)
    recorded(removed, DAY_MS)
    await db.query('update voice_platform.recordings set removed_at = now() where call_id = $1', [removed])
    await leapDate(db, 400)
    await server().run()
    expect(left()).toEqual([...young, ...old, ...stray].sort())
    await leapDate(db, 0)
    await server().run()
    expect(left()).toEqual(young)
  })

  it('are looked for once an hour', async () => {
    await row(2)
    const recordings = server()
    await recordings.run()
    const stray = recorded(randomUUID(), DAY_MS)
    for (let round = 0; round < 59; round += 1) await recordings.run()
    expect(left()).toEqual(stray)
    await recordings.run()
    expect(left()).toEqual([])
  })
})
