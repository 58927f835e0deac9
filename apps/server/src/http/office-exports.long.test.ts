import { readAudit } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { officeOfMany } from '../testing/office-of-many.js'

const EVENTS = 1_500

let db: Db
beforeAll(async () => {
  db = await openTestDb()
  await db.exec(`insert into timeline.events (type, slug, actor, payload)
    select 'page.opened', 'v-' || i, 'visitor', '{}' from generate_series(1, ${EVENTS}) i`)
})
afterAll(() => db.close())
afterEach(() => void vi.useRealTimers())

/** Only what looks at the exports: databases need real time. */
const holdIntervals = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })

/** Each with what it needs, as an owner may ask it. */
const EXPORTS: [path: string, body?: unknown][] = [
  ['/timeline/export'],
  ['/timeline/export.csv'],
  ['/calls/export'],
  ['/calls/export.csv'],
  ['/visitors/export'],
  ['/visitors/export.csv', {}],
  ['/person/export', { visitor: 'ann' }],
]

it.each(EXPORTS)(
  'lets an operator have two exports at once, two wait, and refuses more: %s',
  async (path, body) => {
    const ask = officeOfMany(db)
    const take = () => ask(path, 'owner.ann.y', { body })
    const open = [await take(), await take()]
    const waiting = [take(), take()]
    const refused = await take()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(await refused.json()).toMatchObject({ code: 'too_many_exports' })
    for (const answer of open) await answer.text()
    for (const answer of await Promise.all(waiting)) {
      expect(answer.status).toBe(200)
      await answer.text()
    }
    expect((await take()).status).toBe(200)
  },
)

it('lets all operators have four exports at once, and the fifth wait until one has ended or is given up', async () => {
  const ask = officeOfMany(db)
  const take = (name: string, signal?: AbortSignal) =>
    ask('/timeline/export.csv', `viewer.${name}.y`, signal && { signal })
  const leaving = new AbortController()
  const open = [await take('ann'), await take('ann'), await take('ben'), await take('cid', leaving.signal)]
  const begun: string[] = []
  const next = take('dan').then(() => begun.push('dan'))
  const other = take('eve').then(() => begun.push('eve'))
  // Until it waits in line.
  for (let turn = 0; turn < 20; turn += 1) await db.query('select 1')
  expect(begun).toEqual([])
  await open[0]?.body?.cancel()
  await next
  expect(begun).toEqual(['dan'])
  leaving.abort()
  await other
  expect(begun).toEqual(['dan', 'eve'])
})

it('keeps a place for owners and backups, whatever exports viewers hold', async () => {
  const ask = officeOfMany(db)
  const take = (name: string) => ask('/timeline/export', `viewer.${name}.y`)
  const open = [await take('ann'), await take('ann'), await take('ben'), await take('ben')]
  const owners = await ask('/visitors/export', 'owner.olga.y')
  expect(owners.status).toBe(200)
  await owners.text()
  const own = await ask('/visitors/export', 'sb_secret_of_the_test')
  expect(own.status).toBe(200)
  for (const answer of [own, ...open]) await answer.body?.cancel()
})

it('has whoever reads nothing of an export make room for others, and not before', async () => {
  holdIntervals()
  const ask = officeOfMany(db)
  const take = (name: string) => ask('/timeline/export', `viewer.${name}.y`)
  const open = [await take('ann'), await take('ann'), await take('ben'), await take('ben')]
  const readers = open.map(({ body }) => body?.getReader())
  for (const reader of readers) await reader?.read()
  await vi.advanceTimersByTimeAsync(600_000)
  await readers[0]?.read()
  const next = take('cid')
  // Until it waits in line.
  for (let turn = 0; turn < 20; turn += 1) await db.query('select 1')
  await vi.advanceTimersByTimeAsync(1_000)
  const late = await next
  expect(late.status).toBe(200)
  await late.text()
  expect((await readers[0]?.read())?.done).toBe(false)
  await expect(readers[1]?.read()).rejects.toMatchObject({ code: 'too_many_exports' })
  await readers[0]?.cancel()
})

it.each(['/timeline/export', '/timeline/export.csv'])(
  'breaks an export off soon after its operator is removed: %s',
  async (path) => {
    holdIntervals()
    const removed = new Set<string>()
    const { body } = await officeOfMany(db, { removed })(path, 'viewer.ann.y')
    const reader = body?.getReader()
    await reader?.read()
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await reader?.read())?.done).toBe(false)
    removed.add('ann')
    await vi.advanceTimersByTimeAsync(10_000)
    const readAll = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(readAll()).rejects.toMatchObject({ code: 'unauthorized' })
  },
)

it('counts exports that are repeated in one line of the audit', async () => {
  const ask = officeOfMany(db)
  for (let time = 0; time < 25; time++)
    await (await ask('/timeline/export.csv?slug=nobody', 'viewer.rex.y')).text()
  const lines = (await readAudit(db, 1_000)).filter(({ actor }) => actor === 'rex@example.com')
  expect(lines).toHaveLength(20)
  expect(lines[0]).toMatchObject({ action: 'timeline_exported', detail: { times: 6 } })
})

it('has an operator wait with large pages, and refuses more than ten that wait', async () => {
  const ask = officeOfMany(db)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask('/timeline/events?limit=1000', 'viewer.ann.y')),
  )
  const refused = answers.filter(({ status }) => status === 429)
  // On a slow machine those that waited for too long, too.
  expect(refused.length).toBeGreaterThanOrEqual(8)
  expect(answers.filter(({ status }) => status === 200).length).toBe(20 - refused.length)
  expect(refused.length).toBeLessThan(20)
  expect(await refused[0]?.json()).toMatchObject({ code: 'too_many_pages' })
  expect(refused[0]?.headers.get('retry-after')).toBe('2')
})

it('has short pages wait for their turn, and refuses none of twenty', async () => {
  const ask = officeOfMany(db)
  const asked = Array.from({ length: 40 }, (_, place) =>
    place < 20
      ? ask('/timeline/events?limit=499', 'viewer.ann.y')
      : ask('/timeline/events', `viewer.operator-${place}.y`),
  )
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
})

it('reads for one at a time, and not at all for who has gone away', async () => {
  let running = 0
  let most = 0
  let searches = 0
  const counting: Db = {
    ...db,
    kind: 'pglite',
    query: async (sql, ...rest) => {
      if (!sql.includes('from timeline.events')) return await db.query(sql, ...rest)
      searches += 1
      running += 1
      most = Math.max(most, running)
      return await db.query<never>(sql, ...rest).finally(() => {
        running -= 1
      })
    },
  }
  const ask = officeOfMany(counting)
  const leaving = new AbortController()
  const reads = Array.from({ length: 30 }, (_, place) =>
    ask('/timeline/events?limit=1', `viewer.${place % 2 ? 'ann' : 'ben'}.y`, {
      ...(place >= 10 && { signal: leaving.signal }),
    }),
  )
  leaving.abort()
  const statuses = (await Promise.all(reads)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 499)).toHaveLength(20)
  expect([searches, most]).toEqual([10, 1])
})

it('exports every event once, in order, with turns of the loop in between', async () => {
  const ask = officeOfMany(db)
  const answer = await ask('/timeline/export', 'owner.ann.y')
  let turns = 0
  let isRead = false
  const text = answer.text().finally(() => {
    isRead = true
  })
  while (!isRead) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  const slugs = (await text)
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).slug)
  expect(slugs.filter((slug) => slug.startsWith('v-'))).toEqual(
    Array.from({ length: EVENTS }, (_, place) => `v-${place + 1}`),
  )
  // Decoded, made into events and written: a hundred a turn, each.
  expect(turns).toBeGreaterThanOrEqual((3 * EVENTS) / 100)
})
