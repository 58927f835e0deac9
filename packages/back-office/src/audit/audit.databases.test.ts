import type { Db } from '@heyline/database'
import { DATABASES, leapDate } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actorName, NOTHING_CHANGED, readAudit, searchAudit, writeAudit, writeRepeated } from './audit.js'

describe.each(DATABASES)('lines of what is repeated, $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.query('delete from back_office.audit')
  })

  const actor = { name: 'ann@example.com', address: '192.0.2.1' }
  const repeat = async (
    times: number,
    given: { name?: string; address?: string } = {},
    action = 'exported',
  ) => {
    for (let time = 0; time < times; time++) await writeRepeated(db, { ...actor, ...given }, action, {})
  }
  const lines = async () => (await readAudit(db, 1_000)).reverse()

  it('are twenty of an hour, and the last counts the others', async () => {
    await repeat(25)
    const written = await lines()
    expect(written).toHaveLength(20)
    expect(written.slice(0, 19).every(({ detail }) => Object.keys(detail).length === 0)).toBe(true)
    const { times, until } = written[19]?.detail ?? {}
    expect(times).toBe(6)
    expect(Date.parse(String(until))).toBeGreaterThanOrEqual(Date.parse(written[19]?.at ?? ''))
  })

  it('are their own again an hour later', async () => {
    await repeat(21)
    await db.query("update back_office.audit set at = at - interval '61 minutes'")
    await repeat(1)
    expect((await lines()).map(({ detail }) => detail.times)).toEqual([
      ...Array(19).fill(undefined),
      2,
      undefined,
    ])
  })

  it('are counted for each actor, action and address apart', async () => {
    await repeat(30)
    await repeat(1, { name: 'ben@example.com' })
    await repeat(1, {}, 'shown')
    await repeat(1, { address: '192.0.2.2' })
    await writeAudit(db, actor, 'exported')
    await repeat(1)
    const after = (await lines()).slice(19).map(({ detail }) => detail.times)
    expect(after).toEqual([11, undefined, undefined, undefined, 2])
  })

  it('of what changed nothing count no change, and are counted in none', async () => {
    for (let time = 0; time < 25; time++) await writeAudit(db, actor, 'exported')
    for (let time = 0; time < 22; time++) await writeRepeated(db, actor, 'exported', NOTHING_CHANGED)
    const written = await lines()
    expect(written.slice(0, 25).every(({ detail }) => Object.keys(detail).length === 0)).toBe(true)
    expect(written).toHaveLength(45)
    expect(written.at(-1)?.detail).toMatchObject({ isChanged: false, times: 3 })
  })

  it('are two hundred of an hour from whatever addresses', async () => {
    await db.query(
      "insert into back_office.audit (actor, address, action) select $1, '198.51.100.' || i, 'exported' from generate_series(1, 198) i",
      [actor.name],
    )
    for (let place = 0; place < 5; place++) await repeat(1, { address: `192.0.2.${place}` })
    const written = await lines()
    expect(written).toHaveLength(200)
    expect(written.at(-1)?.detail.times).toBe(4)
  })

  it('stay when they are old while the date is doubted', async () => {
    const old =
      "insert into back_office.audit (actor, action, at) values ('a', 'old', now() - interval '366 days')"
    const actions = async () => (await lines()).map(({ action }) => action)
    await leapDate(db, 400)
    await db.query(old)
    await writeAudit(db, actor, 'new')
    expect((await actions()).sort()).toEqual(['new', 'old'])
    await leapDate(db, 0)
    await writeAudit(db, actor, 'new')
    expect(await actions()).toEqual(['new', 'new'])
  })
})

describe.each(DATABASES)('lines by actor, $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
    const names = [
      'ann@example.com',
      actorName('ann@example.com', 'ci'),
      actorName('ann@example.com', 'backup'),
      actorName('joann@example.com', 'ci'),
      'ann@example.com.au',
      'secret key',
    ]
    for (const name of names) await writeAudit(db, { name }, 'exported')
  })
  afterAll(() => db.close())

  const found = async (actor: string) =>
    (await searchAudit(db, { limit: 100, actor })).lines.map((line) => line.actor).reverse()

  it.each(['ann@example.com', 'Ann@Example.com'])(
    'are those of %s with each of their keys',
    async (actor) => {
      expect(await found(actor)).toEqual([
        'ann@example.com',
        'ann@example.com (key ci)',
        'ann@example.com (key backup)',
      ])
    },
  )

  it('are those of one key, where it is named', async () => {
    expect(await found('ann@example.com (key CI)')).toEqual(['ann@example.com (key ci)'])
    expect(await found('secret key')).toEqual(['secret key'])
    expect(await found('ann')).toEqual([])
  })
})
