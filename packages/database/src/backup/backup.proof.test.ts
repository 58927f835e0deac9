import {
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { openPglite } from '../pglite/open-pglite.js'
import { encodeHeader } from '../tar/header.js'
import { pack } from '../tar/pack.js'
import { createTestDirectory, SQL_FOLDER } from '../testing/test-directory.js'
import { backupDatabase } from './backup-database.js'
import { restorePglite } from './restore-pglite.js'

const logger = pino({ level: 'silent' })
const OWN = { madeBy: '0.0.0', isKept: () => true }
const backUp = (db: Db, to = file, secret?: string) => backupDatabase(db, { file: to, secret, ...OWN })
const restore = (into: string, from = file, secret?: string) =>
  restorePglite({ directory: into, file: from, secret, folder: SQL_FOLDER, isKept: OWN.isKept, logger })

let directory: string
let file: string
const open: Db[] = []
beforeEach(async () => {
  directory = await createTestDirectory()
  file = join(directory, 'backup.tar.gz')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()))
  rmSync(directory, { recursive: true, force: true })
})

async function start(path = directory): Promise<Db> {
  const db = await openPglite({ directory: path, logger })
  open.push(db)
  return db
}

const ids = async (db: Db): Promise<number[]> =>
  (await db.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id)

/** A database with row 1, of which there is a backup; row 2 came later. */
let prepared: string
beforeAll(async () => {
  prepared = await createTestDirectory()
  const db = await openPglite({ directory: prepared, logger })
  await db.exec('create table kept (id int primary key, text text); insert into kept values (1)')
  await backUp(db, join(prepared, 'backup.tar.gz'))
  await db.query('insert into kept values (2)')
  await db.close()
})
afterAll(() => rmSync(prepared, { recursive: true, force: true }))

/** Puts it in the place of the empty one. */
function backedUp(): void {
  rmSync(directory, { recursive: true })
  cpSync(prepared, directory, { recursive: true })
}

describe('backupDatabase', () => {
  it('copies one moment while rows go on being written, for the owner only', async () => {
    const db = await start()
    await db.exec('create table kept (id int primary key, text text)')
    let last = 0
    let done = false
    const writing = (async () => {
      while (!done) {
        await db.transaction(async (tx) => {
          await tx.query('insert into kept values ($1)', [last + 1])
          await tx.query('insert into kept values ($1)', [-(last + 1)])
        })
        last++
      }
    })()
    while (last < 20) await new Promise((resolve) => setImmediate(resolve))
    await backUp(db)
    done = true
    await writing
    await db.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory).sort()).toEqual(['backup.tar.gz', 'pgdata'])

    await restore(join(directory, 'other'))
    const rows = await ids(await start(join(directory, 'other')))
    const most = rows.at(-1) ?? 0
    expect(most).toBeGreaterThanOrEqual(20)
    expect(most).toBeLessThanOrEqual(last)
    expect(rows).toEqual(Array.from({ length: 2 * most + 1 }, (_, n) => n - most).filter((n) => n !== 0))
  })

  it('replaces an older backup, and leaves nothing half done behind', async () => {
    backedUp()
    const db = await start()
    await backUp(db)
    await expect(backUp(db, join(directory, 'nowhere', 'x.gz'))).rejects.toMatchObject({
      code: 'ENOENT',
    })
    await db.close()
    expect(readdirSync(directory).sort()).toEqual(['backup.tar.gz', 'pgdata'])
    await restore(join(directory, 'other'))
    expect(await ids(await start(join(directory, 'other')))).toEqual([1, 2])
  })
})

describe('restorePglite', () => {
  it('takes the place of what is there', async () => {
    backedUp()
    await restore(directory)
    expect(readdirSync(directory).sort()).toEqual(['backup.tar.gz', 'pgdata'])
    const db = await start()
    expect(await ids(db)).toEqual([1])
    await db.query('insert into kept values (3)')
  })

  it('takes a backup of a version before manifests and seals', async () => {
    const db = await start()
    await db.exec('create table kept (id int primary key, text text); insert into kept values (7)')
    const snapshot = await db.snapshot?.()
    await pipeline(
      Readable.from(pack(snapshot?.directory ?? '')),
      createGzip(),
      createWriteStream(file, { mode: 0o600 }),
    )
    await snapshot?.remove()
    await db.query('delete from kept')
    await db.close()
    for (const secret of [undefined, 'q3Gm0c9XwZr5tYb7uHk2nLd8sFa4jEv6'])
      expect(await restore(directory, file, secret)).toBeUndefined()
    expect(await ids(await start())).toEqual([7])
  })

  it('leaves a directory alone that a server has', async () => {
    backedUp()
    const db = await start()
    await expect(restore(directory)).rejects.toMatchObject({
      code: 'data_directory_locked',
    })
    expect(await ids(db)).toEqual([1, 2])
  })

  it('keeps the old database when the file is no whole backup of this Postgres', async () => {
    backedUp()
    const whole = readFileSync(file)
    const damaged = Buffer.from(whole).fill(7, 50_000, 50_100)
    const cases: [string, Uint8Array][] = [
      ['not_a_backup', whole.subarray(0, whole.length - 2_000)],
      ['not_a_backup', damaged],
      ['not_a_backup', Buffer.from('slug,name\n')],
      ['not_a_backup', gzipSync(Buffer.alloc(1024))],
      ['not_a_backup', archive('pgdata/../../../out', 'x')],
      ['other_version', archive('pgdata/PG_VERSION', '15\n')],
      ['not_opened', archive('pgdata/PG_VERSION', '18\n')],
    ]
    for (const [code, bytes] of cases) {
      writeFileSync(file, bytes)
      await expect(restore(directory)).rejects.toMatchObject({
        name: 'BackupError',
        code,
      })
      expect(readdirSync(directory).sort()).toEqual(['backup.tar.gz', 'pgdata'])
    }
    expect(existsSync(join(directory, '..', 'out'))).toBe(false)
    expect(await ids(await start())).toEqual([1, 2])
  })

  it('says that there is no such file', async () => {
    await expect(restore(directory, `${file}.no`)).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  const cutOff = {
    'while it unpacked': [
      [1, 2],
      () => {
        mkdirSync(join(directory, 'restoring'))
        writeFileSync(join(directory, 'restoring', 'half'), 'x')
      },
    ],
    'before the new data was in place': [
      [1, 2],
      () => {
        renameSync(join(directory, 'pgdata'), join(directory, 'pgdata.previous'))
        mkdirSync(join(directory, 'restoring'))
      },
    ],
    'after it': [
      [1, 2],
      () => {
        mkdirSync(join(directory, 'pgdata.previous'))
        copyFileSync(file, join(directory, 'pgdata.previous', 'x'))
      },
    ],
  } satisfies Record<string, [number[], () => void]>
  it.each(Object.entries(cutOff))('is tidied up when it was killed %s', async (_, [rows, leave]) => {
    backedUp()
    leave()
    expect(await ids(await start())).toEqual(rows)
    expect(readdirSync(directory).sort()).toEqual(['backup.tar.gz', 'lock', 'pgdata'])
  })

  it('also takes the place of a database whose creation was cut off', async () => {
    backedUp()
    writeFileSync(join(directory, 'pgdata.incomplete'), '')
    await restore(directory)
    expect(await ids(await start())).toEqual([1])
  })
})

function archive(path: string, text: string): Uint8Array {
  const content = Buffer.from(text)
  const folder = encodeHeader({ path: 'pgdata', type: 'directory', size: 0 })
  const header = encodeHeader({ path, type: 'file', size: content.length })
  const padding = Buffer.alloc(512 - content.length)
  return gzipSync(Buffer.concat([folder, header, content, padding, Buffer.alloc(1024)]))
}
