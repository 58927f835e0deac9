import type { Db } from '@heyline/database'
import { DATABASES, lockWaits } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordEvent } from '../events/record-event.js'
import { eraseFromTimeline } from '../people/person-events.js'
import { STORING_OPENS } from './erasing-lock.js'
import { Opens } from './opens.js'

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2026, 4, 1, 12)
const place = (address: string) => ({ address, network: address })

describe.each(DATABASES)('opens, $name', ({ name, open }) => {
  let db: Db
  let clock: ManualClock
  let failures: unknown[]
  let running: Opens[]
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => {
    clock = new ManualClock(FIRST_DAY)
    failures = []
    running = []
  })
  afterEach(async () => {
    await Promise.all(running.map((opens) => opens.close()))
    await db.query('delete from timeline.events')
    await db.query('delete from timeline.opener_keys')
    expect(failures).toEqual([])
  })

  /** As one process has it. */
  function start() {
    const opens = new Opens({ db, clock, onError: (error) => failures.push(error) })
    running.push(opens)
    return opens
  }
  const stored = async () =>
    (
      await db.query<{ slug: string; actor: string; opener: string }>(
        "select slug, actor, opener from timeline.events where type = 'page.opened' order by seq",
      )
    ).rows
  const days = async () =>
    (await db.query<{ day: string }>('select day::text from timeline.opener_keys order by 1')).rows.map(
      ({ day }) => day,
    )

  it('are stored under the slug as stored, with the address as a hash that all processes agree on', async () => {
    const processes = [start(), start(), start()]
    for (const [number, opens] of processes.entries()) {
      opens.take({ opener: place('192.0.2.1'), find: async () => 'Ada' })
      opens.take({ opener: place(`192.0.2.${10 + number}`), find: async () => undefined })
    }
    await Promise.all(processes.map((opens) => opens.close()))
    const rows = await stored()
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ opener }) => opener)).size).toBe(1)
    expect(rows[0]).toEqual({
      slug: 'Ada',
      actor: 'visitor',
      opener: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(await days()).toEqual(['2026-05-01'])
  })

  it('have another hash for another address, and on another day', async () => {
    for (const day of [0, 1]) {
      const opens = start()
      for (const address of ['192.0.2.1', '192.0.2.2'])
        opens.take({ opener: place(address), find: async () => 'ada' })
      await opens.close()
      clock.advance(DAY_MS)
      expect(await stored()).toHaveLength(2 * (day + 1))
    }
    expect(new Set((await stored()).map(({ opener }) => opener)).size).toBe(4)
  })

  it('forget keys from before yesterday, every hour, also when nobody opens anything', async () => {
    const opens = start()
    opens.take({ opener: place('192.0.2.1'), find: async () => 'ada' })
    await expect.poll(stored).toHaveLength(1)
    for (let hour = 0; hour < 30; hour++) {
      clock.advance(3_600_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await days()).toEqual(['2026-05-01'])
    for (let hour = 0; hour < 12; hour++) {
      clock.advance(3_600_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await expect.poll(days).toEqual([])
  })

  const erase = (slug: string) =>
    db.transaction((tx) => eraseFromTimeline(tx, { callIds: [], slugs: [slug] }))

  it('of a visitor who is erased after the lookup are not stored, and those of a new one with the slug are', async () => {
    await erase('ada')
    const opens = start()
    const find = async () => {
      await erase('ADA')
      return 'ada'
    }
    opens.take({ opener: place('192.0.2.1'), find })
    await opens.close()
    expect(await stored()).toEqual([])
    expect((await db.query('select from timeline.visitors')).rowCount).toBe(0)
    const later = start()
    later.take({ opener: place('192.0.2.1'), find: async () => 'ada' })
    await later.close()
    expect(await stored()).toMatchObject([{ slug: 'ada' }])
  })

  // On PGlite all wait for each other's transactions as it is.
  if (name === 'Postgres') {
    it('that are just being stored are waited for, and erased', async () => {
      const { erasing } = await db.transaction(async (tx) => {
        await tx.query(`select ${STORING_OPENS}`)
        const erasing = erase('ada')
        await expect.poll(() => lockWaits(db)).toBe(1)
        await recordEvent(tx, { type: 'page.opened', slug: 'ada', actor: 'visitor', payload: {} })
        return { erasing }
      })
      await erasing
      expect(await stored()).toEqual([])
    })
  }

  it('beyond their limits are dropped, and those that fail are told of', async () => {
    const opens = start()
    for (let time = 0; time < 40; time++) opens.take({ opener: place('192.0.2.1'), find: async () => 'ada' })
    opens.take({ opener: place('192.0.2.2'), find: () => Promise.reject(new Error('no lookup')) })
    await opens.close()
    opens.take({ opener: place('192.0.2.3'), find: async () => 'ada' })
    expect(await stored()).toHaveLength(30)
    expect(failures.splice(0)).toEqual([new Error('no lookup')])
  })

  it('count for all only where the slug is somebody’s', async () => {
    const opens = start()
    for (let part = 0; part < 4; part++) {
      for (let number = 0; number < 900; number++)
        opens.take({ opener: place(`${part} ${number}`), find: async () => undefined })
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    opens.take({ opener: place('192.0.2.1'), find: async () => 'ada' })
    await opens.close()
    expect(await stored()).toHaveLength(1)
  })

  /** Opens that are looked up until they are told to end. */
  function held() {
    let asked = 0
    let underWay = 0
    let most = 0
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const find = async () => {
      asked += 1
      most = Math.max(most, ++underWay)
      await ended
      underWay -= 1
      return undefined
    }
    return { find, end: () => end(), counts: () => ({ asked, most }) }
  }

  it('that nobody can look up in time hold a bounded place, and few ask at once', async () => {
    const opens = start()
    const { find, end, counts } = held()
    for (let number = 0; number < 5_000; number++) opens.take({ opener: place(`a ${number}`), find })
    await expect.poll(() => counts().asked).toBe(2)
    end()
    await opens.close()
    expect(counts()).toEqual({ asked: 4_000, most: 2 })
  })

  it('of one network keep no others out, and take turns with them', async () => {
    const opens = start()
    const { find, end, counts } = held()
    for (let number = 0; number < 200; number++)
      opens.take({ opener: { address: `198.51.100.${number}`, network: '198.51.100' }, find })
    let others: number | undefined
    opens.take({
      opener: place('192.0.2.1'),
      find: async () => {
        others = counts().asked
        return 'ada'
      },
    })
    await expect.poll(() => others).toBeDefined()
    end()
    await opens.close()
    expect(counts()).toEqual({ asked: 50, most: 1 })
    expect(others).toBeLessThan(5)
    expect(await stored()).toHaveLength(1)
  })
})
