import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { placeOf } from '../wire/networks.js'
import { Attempts } from './attempts.js'
import type { Known } from './known-places.js'

describe.each(DATABASES)('attempts, on $name', ({ open }) => {
  let db: Db
  let clock: ManualClock
  let attempts: Attempts
  beforeAll(async () => {
    db = await open()
  })
  beforeEach(async () => {
    clock = new ManualClock(Date.now())
    attempts = new Attempts({ db, key: Buffer.alloc(32, 1), clock })
    await db.exec('delete from auth.attempts')
  })
  afterAll(() => db.close())

  const fail = (address: string, account = 'ada@example.com', known?: Known) =>
    attempts.begin({ what: 'password', account, place: placeOf(address), known })
  const isLetIn = (...asked: Parameters<typeof fail>) =>
    fail(...asked).then(
      () => true,
      () => false,
    )
  /** So many failures from networks of their own. */
  const failFromEverywhere = async (count: number, third = 0) => {
    for (let host = 0; host < count; host += 1) await fail(`10.${third}.${host}.1`)
  }

  it('that are refused again within a second ask the database nothing', async () => {
    for (let tries = 0; tries < 7; tries += 1) await isLetIn('192.0.2.1')
    const asked = vi.spyOn(db, 'transaction')
    try {
      expect(await isLetIn('192.0.2.1')).toBe(false)
      expect(() =>
        attempts.demandNoWait({ what: 'password', account: 'ada@example.com', place: placeOf('192.0.2.1') }),
      ).toThrow('Try again in 1 second')
      expect(asked).not.toHaveBeenCalled()
      clock.advance(1_000)
      expect(await isLetIn('192.0.2.1')).toBe(true)
      expect(asked).toHaveBeenCalledOnce()
    } finally {
      asked.mockRestore()
    }
  })

  it('of a network, or on an account, that waits are refused without the database, but not those of who was there', async () => {
    const refusal = (address: string, account: string, known?: Known) => {
      try {
        attempts.demandNoWait({ what: 'password', account, place: placeOf(address), known })
        return undefined
      } catch (error) {
        return error
      }
    }
    for (let tries = 0; tries < 101; tries += 1)
      await isLetIn(`192.0.2.${tries}`, `user-${tries}@example.com`)
    expect(refusal('192.0.2.200', 'somebody@example.com')).toMatchObject({ status: 429 })
    expect(refusal('192.0.2.200', 'somebody@example.com', 'network')).toBeUndefined()
    expect(refusal('192.0.3.1', 'somebody@example.com')).toBeUndefined()
    await failFromEverywhere(21).catch(() => undefined)
    // It has a look of its own, and then waits as the account does.
    expect(refusal('192.0.3.1', 'ada@example.com')).toBeUndefined()
    expect([await isLetIn('192.0.3.1'), await isLetIn('192.0.3.1')]).toEqual([true, false])
    expect(refusal('192.0.3.1', 'ada@example.com')).toMatchObject({ status: 429 })
    expect(refusal('192.0.3.1', 'ada@example.com', 'network')).toBeUndefined()
  })

  it('wait after five failures, and the waits grow', async () => {
    for (let tries = 0; tries < 5; tries += 1) await fail('192.0.2.1')
    await expect(fail('192.0.2.1')).rejects.toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      message: 'Too many failed attempts. Try again in 1 second.',
      headers: { 'retry-after': '1' },
    })
    clock.advance(1_000)
    await fail('192.0.2.1')
    clock.advance(1_000)
    expect(await isLetIn('192.0.2.1')).toBe(false)
    clock.advance(1_000)
    expect(await isLetIn('192.0.2.1')).toBe(true)
  })

  it.each([
    ['a day', undefined],
    ['a day, in a known network', 'network'],
    ['a day, at a known address', 'address'],
  ] as const)('of a clock that was ahead by %s keep nobody waiting once it is right', async (_, known) => {
    const account = 'ada@example.com'
    clock.step(86_400_000)
    for (let tries = 0; tries < 6; tries += 1) await isLetIn('192.0.2.1', account, known)
    expect(await isLetIn('192.0.2.1', account, known)).toBe(false)
    clock.step(-86_400_000)
    clock.advance(1_000)
    expect(await isLetIn('192.0.2.1', account, known)).toBe(true)
    expect(await isLetIn('192.0.2.1', account, known)).toBe(false)
  })

  it('are not counted while they wait', async () => {
    for (let tries = 0; tries < 5; tries += 1) await fail('192.0.2.1')
    for (let tries = 0; tries < 50; tries += 1) expect(await isLetIn('192.0.2.1')).toBe(false)
    clock.advance(1_000)
    expect(await isLetIn('192.0.2.1')).toBe(true)
  })

  it('at the same time are as many as one after the other', async () => {
    const tries = await Promise.all(Array.from({ length: 40 }, () => isLetIn('192.0.2.1')))
    expect(tries.filter(Boolean)).toHaveLength(5)
  })

  it('of many processes are counted together', async () => {
    const other = new Attempts({ db, key: Buffer.alloc(32, 1), clock })
    const asked = { what: 'password', account: 'ada@example.com', place: placeOf('192.0.2.1') }
    const tries = Array.from({ length: 20 }, (_, place) => (place % 2 ? other : attempts).begin(asked))
    const settled = await Promise.allSettled(tries)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  it('that succeed are none', async () => {
    for (let tries = 0; tries < 50; tries += 1) {
      const attempt = await fail('192.0.2.1')
      await db.transaction((tx) => attempts.succeeded(tx, attempt))
    }
    const { rows } = await db.query('select level from auth.attempts where level > 0')
    expect(rows).toEqual([])
  })

  it('that succeed at the same time hold nobody up', async () => {
    const round = async (account: string) => {
      const attempt = await fail('192.0.2.1', account)
      await db.transaction((tx) => attempts.succeeded(tx, attempt))
    }
    await Promise.all(Array.from({ length: 15 }, (_, place) => round(`user-${place}@example.com`)))
  })

  it('of one address on many accounts wait, too', async () => {
    for (let tries = 0; tries < 20; tries += 1) await fail('192.0.2.1', `user-${tries}@example.com`)
    expect(await isLetIn('192.0.2.1', 'somebody@example.com')).toBe(false)
    expect(await isLetIn('192.0.2.2', 'somebody@example.com')).toBe(true)
    clock.advance(1_000)
    expect(await isLetIn('192.0.2.1', 'somebody@example.com')).toBe(true)
  })

  it('of one /64 are those of one address', async () => {
    for (let tries = 0; tries < 20; tries += 1)
      await fail(`2001:db8::${tries + 1}`, `user-${tries}@example.com`)
    expect(await isLetIn('2001:db8::ffff', 'somebody@example.com')).toBe(false)
    expect(await isLetIn('2001:db8:0:1::1', 'somebody@example.com')).toBe(true)
  })

  it('of many addresses of one network wait, too, but not those of who was there', async () => {
    for (let tries = 0; tries < 100; tries += 1)
      await fail(`2001:db8:0:${tries.toString(16)}::1`, `user-${tries}@example.com`)
    expect(await isLetIn('2001:db8:0:ff::1', 'somebody@example.com')).toBe(false)
    expect(await isLetIn('2001:db8:1::1', 'somebody@example.com')).toBe(true)
    expect(await isLetIn('2001:db8:0:ff::1', 'ada@example.com', 'network')).toBe(true)
    clock.advance(1_000)
    expect(await isLetIn('2001:db8:0:ff::1', 'somebody@example.com')).toBe(true)
  })

  it('of strangers from everywhere lock no owner out', async () => {
    await failFromEverywhere(20)
    expect(await isLetIn('10.9.9.1')).toBe(true)
    expect(await isLetIn('10.9.9.1')).toBe(false)
    expect(await isLetIn('192.0.2.1', 'ada@example.com', 'network')).toBe(true)
    clock.advance(60_000)
    expect(await isLetIn('10.9.9.1')).toBe(true)
  })

  it('of a neighbour keep nobody waiting who is at an address of his own', async () => {
    const ada = 'ada@example.com'
    const guess = async (count: number) => {
      for (let tries = 0; tries < count; tries += 1) {
        while (!(await isLetIn('192.0.2.200', ada, 'network'))) clock.advance(1_000)
      }
    }
    await guess(12)
    for (let tries = 0; tries < 3; tries += 1) {
      const attempt = await fail('192.0.2.5', ada, 'address')
      await db.transaction((tx) => attempts.succeeded(tx, attempt))
    }
    // That he came in gives the neighbour nothing.
    expect(await isLetIn('192.0.2.200', ada, 'network')).toBe(false)
  })

  it('of a known network keep others of it waiting for a minute at most, those of a known address its own for 15', async () => {
    const waits = async (address: string, known: Known) => {
      const found: number[] = []
      for (let tries = 0; tries < 19; tries += 1) {
        await fail(address, 'ada@example.com', known)
        const refusal = await fail(address, 'ada@example.com', known).catch((error: unknown) => error)
        const wait = Number(Object(Object(refusal).headers)['retry-after'] ?? 0)
        if (wait === 0) tries += 1
        found.push(wait)
        clock.advance(wait * 1_000)
      }
      return Math.max(...found)
    }
    expect(await waits('192.0.2.200', 'network')).toBe(60)
    expect(await waits('192.0.2.5', 'address')).toBe(900)
  })

  it('leave a new network a look of its own each minute, however many guess as soon as they may', async () => {
    await failFromEverywhere(20)
    for (let minute = 0; minute < 6; minute += 1) {
      for (let host = 0; host < 15; host += 1) await isLetIn(`10.0.${host}.1`)
      const attempt = await fail(`192.0.${minute}.1`)
      expect(await isLetIn(`192.0.${minute}.1`)).toBe(false)
      // No turn came: the look is not used up.
      await attempts.takeBack(attempt)
      expect(await isLetIn(`192.0.${minute}.1`)).toBe(true)
      clock.advance(60_000)
    }
  })

  it('of some hundred networks have as many looks, and no more', async () => {
    await failFromEverywhere(20)
    const looks = async (third: number) => {
      const found = await Promise.all(
        Array.from({ length: 250 }, (_, host) => isLetIn(`10.${third}.${host}.1`)),
      )
      return found.filter(Boolean).length
    }
    expect([await looks(1), await looks(2)]).toEqual([250, 50])
  })

  it('of another kind are counted by themselves', async () => {
    for (let tries = 0; tries < 5; tries += 1) await fail('192.0.2.1')
    await attempts.begin({ what: 'recover', place: placeOf('192.0.2.1') })
  })

  it('are kept under keyed hashes', async () => {
    await fail('192.0.2.1')
    const { rows } = await db.query<{ key: string }>('select key from auth.attempts')
    expect(rows).toHaveLength(4)
    for (const { key } of rows) expect(key).toMatch(/^[0-9a-f]{64}$/)
    const other = new Attempts({ db, key: Buffer.alloc(32, 2), clock })
    const place = placeOf('192.0.2.1')
    expect(other.hashed(place).network).not.toBe(attempts.hashed(place).network)
  })
})
