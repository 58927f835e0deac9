import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assets } from '../http/assets.js'
import { openBuilds } from './builds-end.js'
import { readBuild } from './front-end-files.js'
import { PublishedBuilds } from './published-builds.js'

const logger = pino({ level: 'silent' })

describe.each(DATABASES)('the builds in use, on $name', ({ open }) => {
  let db: Db
  let published: PublishedBuilds
  const folders: string[] = []
  beforeAll(async () => {
    db = await open()
    published = new PublishedBuilds(db)
  })
  afterAll(() => db.close())
  beforeEach(() => db.exec('delete from front_ends.builds; delete from front_ends.files'))
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  /** A folder as a build makes it, with a document and a manifest that are not for everybody. */
  function built(files: Record<string, string>): string {
    const folder = mkdtempSync(join(tmpdir(), 'heyline-build-'))
    folders.push(folder)
    for (const [name, text] of Object.entries({ ...files, 'index.html': '<p>', '.built': 'x' })) {
      writeFileSync(join(folder, name), text)
      if (name.endsWith('.png')) continue
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    }
    return folder
  }
  const publish = async (files: Record<string, string>) =>
    published.publish(await readBuild([built(files)]), '0.1.0')
  const count = async (what: string) => (await db.query(`select from front_ends.${what}`)).rowCount

  it('are served by every process as their own one serves them', async () => {
    const files = { 'page-AAAAAAAA.js': 'let a', 'page-aaaa-aa_.css': 'b {}', 'icon-BBBBBBBB.png': 'png' }
    const old = built(files)
    const first = await openBuilds({ db, folders: [old], logger })
    const second = await openBuilds({ db, folders: [built({ 'page-CCCCCCCC.js': 'let c' })], logger })
    const own = new Hono().route('/-/assets', assets([old]))
    const other = new Hono().route('/-/assets', assets([], second.older))
    try {
      for (const method of ['GET', 'HEAD'])
        for (const encoding of ['br, gzip', 'gzip', 'identity'])
          for (const name of [
            ...Object.keys(files),
            'index.html',
            '.built',
            'page-DDDDDDDD.js',
            '../page-AAAAAAAA.js',
          ]) {
            const ask = async (app: Hono) => {
              const answer = await app.request(`/-/assets/${name}`, {
                method,
                headers: { 'accept-encoding': encoding },
              })
              const { 'last-modified': _, ...headers } = Object.fromEntries(answer.headers)
              return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) }
            }
            expect(await ask(other), `${method} ${name}`).toEqual(await ask(own))
          }
      // The one that started first hears of the other.
      const heard = () => first.older.find('page-CCCCCCCC.js', 'br')
      await expect.poll(heard).toMatchObject({ encoding: 'br' })
    } finally {
      await first.close()
      await second.close()
    }
  })

  it('stay what was published first', async () => {
    await publish({ 'page-AAAAAAAA.js': 'first' })
    await publish({ 'page-AAAAAAAA.js': 'second' })
    const { gzip } = (await published.read('page-AAAAAAAA.js')) ?? {}
    expect(gzip && Buffer.from(gzip)).toEqual(gzipSync('first'))
    expect(await count('builds')).toBe(2)
  })

  it('go when none of their processes was seen for 7 days, with what no other build has', async () => {
    await publish({ 'page-AAAAAAAA.js': 'a', 'both-AAAAAAAA.js': 'both' })
    await db.exec("update front_ends.builds set seen_at = now() - interval '8 days'")
    await publish({ 'page-BBBBBBBB.js': 'b', 'both-AAAAAAAA.js': 'both' })
    expect(await count('builds')).toBe(1)
    expect((await published.paths()).sort()).toEqual(['both-AAAAAAAA.js', 'page-BBBBBBBB.js'])
  })

  it('are nine at most, and one that is seen again stays', async () => {
    for (let n = 0; n < 9; n += 1) await publish({ [`page-0000000${n}.js`]: `${n}` })
    await publish({ 'page-00000000.js': '0' })
    await publish({ 'page-AAAAAAAA.js': 'a' })
    const paths = await published.paths()
    expect(paths).toHaveLength(9)
    expect(paths).toContain('page-00000000.js')
    expect(paths).not.toContain('page-00000001.js')
  })

  it('have a size; without being published a process works all the same', async () => {
    const folder = built({ 'page-AAAAAAAA.png': 'x'.repeat(5_000_000) })
    await expect(published.publish(await readBuild([folder]), '0.1.0')).rejects.toThrow(RangeError)
    const said: string[] = []
    const builds = await openBuilds({
      db,
      folders: [folder],
      logger: pino({ level: 'warn' }, { write: (line) => void said.push(line) }),
    })
    expect(said.join()).toContain('could not be published')
    expect(await builds.older.find('page-AAAAAAAA.png', '')).toBeUndefined()
    await builds.close()
  })

  it.each(['anon', 'authenticated'])('are nobody else’s to read or write: %s', async (role) => {
    for (const sql of [
      "insert into front_ends.files (path, plain) values ('page-AAAAAAAA.js', 'x')",
      'select from front_ends.files',
    ]) {
      const asked = db.transaction(async (tx) => {
        await tx.query(`set local role ${role}`)
        await tx.query(sql)
      })
      await expect(asked).rejects.toMatchObject({ code: '42501' })
    }
  })
})
