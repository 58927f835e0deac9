import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { SlugMisses } from './slug-misses.js'

const MINUTES_5 = 300_000
let clock: ManualClock
let misses: SlugMisses
let begun: string[]

beforeEach(() => {
  clock = new ManualClock()
  misses = new SlugMisses({ limit: { most: 30, windowMs: MINUTES_5 }, clock })
  begun = []
})

const look = (address: string, isMiss: boolean, signal?: AbortSignal) =>
  misses.look(
    address,
    async () => {
      begun.push(address)
      return { found: clock.now(), isMiss }
    },
    { signal },
  )

async function miss(address: string, times: number) {
  for (let time = 0; time < times; time++) await look(address, true)
}

/** Lets what is due now run. */
/** A lookup that waited for another begins a moment after its end. */
const settled = async () => {
  for (let moment = 0; moment < 2; moment++) await new Promise<void>((resolve) => setImmediate(resolve))
}

async function pass(ms: number) {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50)
    await settled()
  }
}

describe('the lookups of one address', () => {
  it('do not wait until thirty have missed, then each waits longer, up to eight seconds', async () => {
    await miss('192.0.2.1', 30)
    expect(clock.now()).toBe(0)
    const waits: number[] = []
    for (let time = 0; time < 8; time++) {
      const before = clock.now()
      const looked = look('192.0.2.1', true)
      await pass(8_000)
      const answer = await looked
      waits.push('found' in answer ? answer.found - before : -1)
    }
    expect(waits[0]).toBe(250)
    expect(Math.max(...waits)).toBeLessThanOrEqual(8_000)
    expect(waits.every((wait) => wait >= 250)).toBe(true)
  })

  it('wait before they begin, also those that will find a visitor', async () => {
    await miss('192.0.2.1', 30)
    begun = []
    const looked = look('192.0.2.1', false)
    await settled()
    expect(begun).toEqual([])
    await pass(250)
    expect(await looked).toEqual({ found: 250 })
  })

  it('are refused where they would wait and are not to, and do not count', async () => {
    await miss('192.0.2.1', 30)
    begun = []
    const impatient = () =>
      misses.look('192.0.2.1', async () => ({ found: 'ada', isMiss: true }), { isPatient: false })
    for (let time = 0; time < 10; time++) expect(await impatient()).toEqual({ retryAfterMs: 250 })
    expect(clock.pending).toBe(0)
    await pass(MINUTES_5 / 30)
    expect(await impatient()).toEqual({ found: 'ada' })
  })

  it('count while they are under way, so that a thousand at once are no way around it', async () => {
    const answers = Array.from({ length: 1_000 }, () => look('192.0.2.1', true))
    await settled()
    expect(begun).toHaveLength(30)
    await pass(60_000)
    const refused = (await Promise.all(answers)).filter((answer) => 'retryAfterMs' in answer)
    expect(refused).toHaveLength(1_000 - 30 - 4)
  })

  it('find at most a few visitors a minute however often they are tried', async () => {
    await miss('192.0.2.1', 30)
    begun = []
    for (let second = 0; second < 600; second++) {
      for (let time = 0; time < 10; time++) void look('192.0.2.1', true)
      await pass(1_000)
    }
    expect(begun.length).toBeLessThan(100)
  })

  it('are forgiven one after the other', async () => {
    await miss('192.0.2.1', 30)
    clock.advance(MINUTES_5)
    await miss('192.0.2.1', 30)
    expect(clock.now()).toBe(MINUTES_5)
  })

  it('that find a visitor are never counted', async () => {
    for (let time = 0; time < 1_000; time++) await look('192.0.2.1', false)
    expect([clock.now(), begun.length, clock.pending]).toEqual([0, 1_000, 0])
  })
})

describe('lookups of one address at the same moment', () => {
  let ends: (() => void)[]
  const slow = (isMiss: boolean) =>
    misses.look('192.0.2.1', async () => {
      begun.push('192.0.2.1')
      await new Promise<void>((resolve) => ends.push(resolve))
      return { found: begun.length, isMiss }
    })
  const endAll = async () => {
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end()
      await settled()
    }
  }

  beforeEach(() => {
    ends = []
  })

  it('are none refused where they find their visitor: an office opens its page', async () => {
    const looked = Array.from({ length: 200 }, () => slow(false))
    await settled()
    expect(begun).toHaveLength(30)
    await endAll()
    expect((await Promise.all(looked)).filter((answer) => 'found' in answer)).toHaveLength(200)
    expect([clock.now(), clock.pending]).toEqual([0, 0])
  })

  it('let others have their turn between them, however quickly each ends', async () => {
    const looked = Array.from({ length: 200 }, () => look('192.0.2.1', false))
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun.length).toBeLessThan(100)
    expect(await Promise.all(looked)).toHaveLength(200)
  })

  it('are no way around the limit', async () => {
    const looked = Array.from({ length: 200 }, () => slow(true))
    await settled()
    await endAll()
    expect(begun).toHaveLength(30)
    for (let second = 0; second < 40; second++) {
      await pass(1_000)
      await endAll()
    }
    const refused = (await Promise.all(looked)).filter((answer) => 'retryAfterMs' in answer)
    expect(refused).toHaveLength(200 - 30 - 4)
  })
})

it('lets no address wait for the misses of another', async () => {
  const guesses = Array.from({ length: 100 }, () => look('192.0.2.1', true))
  expect(await look('192.0.2.2', true)).toEqual({ found: 0 })
  await pass(60_000)
  await Promise.all(guesses)
})

it('leaves nothing behind of who goes away while it waits', async () => {
  await miss('192.0.2.1', 30)
  const given = new AbortController()
  const looked = look('192.0.2.1', true, given.signal)
  given.abort(new Error('gone'))
  await expect(looked).rejects.toThrow('gone')
  expect(clock.pending).toBe(0)
})

it('lets nobody wait for the turns of who has gone away', async () => {
  await miss('192.0.2.1', 30)
  for (let time = 0; time < 20; time++) {
    const given = new AbortController()
    const looked = look('192.0.2.1', true, given.signal)
    given.abort(new Error('gone'))
    await expect(looked).rejects.toThrow('gone')
  }
  const looked = look('192.0.2.1', false)
  await pass(1_000)
  expect(await looked).toEqual({ found: 250 })
})
