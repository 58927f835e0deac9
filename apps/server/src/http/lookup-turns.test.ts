import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inProcess } from '../ends/in-process.js'
import { UnfinishedWork } from '../ends/unfinished-work.js'
import type { Asker } from './asker.js'
import { LookupTurns, lookupsInDatabase, type TurnOptions } from './lookup-turns.js'

const PROXY = '10.0.0.1'
let clock: ManualClock
let turns: LookupTurns

beforeEach(() => {
  clock = new ManualClock()
  turns = new LookupTurns({ limit: { most: 30, windowMs: 300_000 }, clock })
})

/** Misses so often; whoever has to wait is not waited for. Resolves with how many were looked up at once. */
async function missesAtOnce(times: number, asker: (time: number) => Asker): Promise<number> {
  let looked = 0
  for (let time = 0; time < times; time++) {
    const missed = turns.look(asker(time), async () => {
      looked++
      return { isMiss: true }
    })
    await Promise.race([missed, new Promise((resolve) => setImmediate(resolve))])
  }
  return looked
}

describe('clients behind a proxy that nobody has told us of', () => {
  it('each have the limit of one address, and the others notice nothing', async () => {
    expect(await missesAtOnce(40, () => ({ address: PROXY, told: '203.0.113.1' }))).toBe(30)
    expect(await missesAtOnce(30, () => ({ address: PROXY, told: '203.0.113.2' }))).toBe(30)
  })

  it('have a limit together, so that nobody passes for ever new ones', async () => {
    const looked = await missesAtOnce(1000, (time) => ({ address: PROXY, told: `203.0.113.${time}` }))
    expect(looked).toBe(600)
    const answer = await turns.look({ address: PROXY, told: 'another' }, async () => ({ isMiss: false }))
    expect(answer).toBeGreaterThan(0)
  })

  it('take nothing from a client that comes by itself, whatever they say', async () => {
    await missesAtOnce(1000, () => ({ address: PROXY, told: '203.0.113.1' }))
    expect(await missesAtOnce(40, () => ({ address: '203.0.113.1' }))).toBe(30)
    expect(await missesAtOnce(40, () => ({ address: PROXY }))).toBe(30)
  })
})

describe('the addresses of one network', () => {
  it.each([
    ['a /48', (time: number) => ({ address: `2001:db8:7:${time.toString(16)}::1` })],
    ['a /24', (time: number) => ({ address: `203.0.113.${time % 256}` })],
  ])('have a limit together: %s', async (_, asker) => {
    expect(await missesAtOnce(1000, asker)).toBe(300)
    // Other networks notice nothing.
    expect(await missesAtOnce(40, () => ({ address: '198.51.100.1' }))).toBe(30)
    expect(await missesAtOnce(40, () => ({ address: '2001:db8:8::1' }))).toBe(30)
  })
})

describe('foreign pages', () => {
  it('miss as much as another address, and their reader notices nothing', async () => {
    expect(await missesAtOnce(100, () => ({ address: '192.0.2.1', isForeign: true }))).toBe(30)
    expect(await turns.look({ address: '192.0.2.1' }, async () => ({ isMiss: false }))).toBeUndefined()
    expect(await missesAtOnce(100, () => ({ address: '192.0.2.1' }))).toBe(30)
  })

  it.each<[string, (time: number) => Asker, number]>([
    ['a network', (time) => ({ address: `203.0.113.${time % 256}` }), 300],
    ['clients of an unknown proxy', (time) => ({ address: PROXY, told: `203.0.113.${time}` }), 600],
  ])('of %s miss half of what all may miss, and bring nobody more', async (_, asker, most) => {
    const foreign = (time: number) => ({ ...asker(time), isForeign: true })
    expect(await missesAtOnce(1_000, foreign)).toBe(most / 2)
    expect(await missesAtOnce(1_000, asker)).toBe(most / 2)
  })

  it('of a network leave places to people', async () => {
    let begun = 0
    const slow = (asker: Asker) =>
      void turns.look(asker, () => {
        begun++
        return new Promise<{ isMiss: boolean }>(() => undefined)
      })
    for (let place = 0; place < 100; place++) slow({ address: `192.0.2.${place}`, isForeign: true })
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toBe(6)
    expect(await turns.look({ address: '192.0.2.1' }, async () => ({ isMiss: false }))).toBeUndefined()
  })
})

it.each<[string, (place: number) => Asker, number]>([
  ['address', () => ({ address: '192.0.2.1' }), 4],
  ['network', (place) => ({ address: `192.0.2.${place}` }), 12],
])(
  'runs only some lookups of one %s at once, refuses none, and none waits for them',
  async (_, asker, most) => {
    let ends: (() => void)[] = []
    const slow = (who: Asker) =>
      turns.look(who, async () => {
        await new Promise<void>((resolve) => ends.push(resolve))
        return { isMiss: false }
      })
    const looked = Array.from({ length: 200 }, (_, place) => slow(asker(place)))
    await new Promise((resolve) => setImmediate(resolve))
    expect(ends).toHaveLength(most)
    expect(await turns.look({ address: '198.51.100.1' }, async () => ({ isMiss: false }))).toBeUndefined()
    while (ends.length > 0) {
      const now = ends
      ends = []
      for (const end of now) end()
      // Those that waited begin a moment later.
      for (let moment = 0; moment < 2; moment++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(new Set(await Promise.all(looked))).toEqual(new Set([undefined]))
  },
)

it('counts a /64 of IPv6 as one address', async () => {
  const ofOne = (time: number) => ({ address: `2001:db8::${time.toString(16)}` })
  expect(await missesAtOnce(40, ofOne)).toBe(30)
})

it.each<[string, (place: number) => Asker, number]>([
  ['address', () => ({ address: '192.0.2.1' }), 4],
  ['network', (place) => ({ address: `192.0.2.${place}` }), 12],
])(
  'gives the place of a lookup of one %s back when its work has ended, not when its caller goes',
  async (_, asker, most) => {
    let [running, atOnce, looked] = [0, 0, 0]
    const fetch = inProcess('http://localhost/-/backend', async () => {
      looked++
      atOnce = Math.max(atOnce, ++running)
      for (let moment = 0; moment < 3; moment++) await new Promise((resolve) => setImmediate(resolve))
      running--
      return new Response()
    })
    const work = new UnfinishedWork()
    const askAndGo = async (place: number) => {
      const request = new IncomingMessage(new Socket())
      const { signal, abort } = abortable()
      const look = async () => {
        await fetch('http://localhost/-/backend/x', { signal }, work.keeperOf(request))
        return { isMiss: false }
      }
      const looks = turns.look(asker(place), look, { signal, unfinished: () => work.of(request) })
      setImmediate(abort)
      await looks.catch(() => undefined)
    }
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 200 }, (_, place) => askAndGo(place)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(atOnce).toBe(most)
    // What goes while it waits is not begun, and places do come back.
    expect(looked).toBeGreaterThan(most)
    expect(looked).toBeLessThan(2_000)
  },
)

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

it('passes on what a lookup rejects with', async () => {
  const away = async () => Promise.reject(new Error('away'))
  for (const told of [undefined, '203.0.113.1'])
    await expect(turns.look({ address: PROXY, told }, away)).rejects.toThrow('away')
})

it.each([true, false])(
  'lets what guesses nothing wait for other lookups, not for misses: a guess: %s',
  async (isGuess) => {
    const address = '192.0.2.1'
    await missesAtOnce(40, () => ({ address }))
    let running = 0
    const never = async () => {
      running++
      return await new Promise<{ isMiss: boolean }>(() => undefined)
    }
    for (let time = 0; time < 20; time++) void turns.look({ address }, never, { isGuess })
    await new Promise((resolve) => setImmediate(resolve))
    expect(running).toBe(isGuess ? 0 : 4)
  },
)

describe('lookups in our own database', () => {
  const IN_DATABASE = 6
  let begun: string[]
  let running: (() => void)[]
  let mine: LookupTurns

  beforeEach(() => {
    begun = []
    running = []
    mine = new LookupTurns({ limit: { most: 30, windowMs: 300_000 }, clock, inDatabase: IN_DATABASE })
  })

  const read = (asker: Asker, options: TurnOptions = {}) =>
    mine.look(
      asker,
      async () => {
        begun.push(asker.told ?? asker.address)
        await new Promise<void>((resolve) => running.push(resolve))
        return { isMiss: false }
      },
      { inLineOf: 'reads', ...options },
    )
  const settled = async () => {
    for (let moment = 0; moment < 4; moment++) await new Promise((resolve) => setImmediate(resolve))
  }
  /** Each lookup ends after the ones that began before it. */
  const endAll = async () => {
    while (running.length > 0) {
      running.shift()?.()
      await settled()
    }
  }
  const flood = (networks: number) =>
    Array.from({ length: networks * 20 }, (_, n) =>
      read({ address: `10.${n % networks}.0.${Math.floor(n / networks)}` }),
    )

  it.each([6, 20])('wait for one of each network that floods them, of %i', async (networks) => {
    const flooding = flood(networks)
    await settled()
    expect(begun).toHaveLength(IN_DATABASE)
    const looked = read({ address: '192.0.2.1' })
    await endAll()
    expect(await looked).toBeUndefined()
    expect(new Set(await Promise.all(flooding))).toEqual(new Set([undefined]))
    expect(begun.indexOf('192.0.2.1')).toBeLessThanOrEqual(IN_DATABASE + networks)
  })

  it('are all made for an office that opens its page in a flood', async () => {
    const flooding = flood(20)
    await settled()
    const office = Array.from({ length: 50 }, () => read({ address: '192.0.2.1' }))
    await endAll()
    expect(new Set(await Promise.all([...office, ...flooding]))).toEqual(new Set([undefined]))
    expect(begun.filter((address) => address === '192.0.2.1')).toHaveLength(50)
  })

  it('take turns by what a proxy that nobody has told us of says of its clients, which are one network', async () => {
    const flooding = Array.from({ length: 100 }, (_, n) =>
      read({ address: PROXY, told: `203.0.113.${n % 25}` }),
    )
    await settled()
    const elsewhere = read({ address: '192.0.2.1' })
    const behind = read({ address: PROXY, told: 'another' })
    await endAll()
    await Promise.all([...flooding, elsewhere, behind])
    expect(begun.indexOf('192.0.2.1')).toBeLessThanOrEqual(IN_DATABASE + 1)
    expect(begun.indexOf('another')).toBeLessThanOrEqual(IN_DATABASE + 27)
  })

  it('keep no call waiting, which asks others, too', async () => {
    const flooding = flood(6)
    await settled()
    const called = read({ address: '192.0.2.1' }, { inLineOf: undefined })
    await settled()
    expect(begun.at(-1)).toBe('192.0.2.1')
    await endAll()
    await Promise.all([...flooding, called])
  })

  it('wait for no picture, however many networks ask for them', async () => {
    const pictures = Array.from({ length: 20 }, (_, n) =>
      read({ address: `10.${n}.0.1` }, { inLineOf: 'pictures' }),
    )
    await settled()
    expect(begun).toHaveLength(2)
    const page = read({ address: '192.0.2.1' })
    await settled()
    expect(begun.at(-1)).toBe('192.0.2.1')
    await endAll()
    await Promise.all([...pictures, page])
  })

  it('hold their place until their work has ended, and who went away takes none', async () => {
    const { signal, abort } = abortable()
    let end = () => {}
    const work = new Promise<void>((resolve) => {
      end = resolve
    })
    const goingOn = Array.from({ length: IN_DATABASE }, (_, n) =>
      read({ address: `10.${n}.0.1` }, { unfinished: () => work }),
    )
    await settled()
    const gone = read({ address: '192.0.2.1' }, { signal })
    const next = read({ address: '198.51.100.1' })
    await endAll()
    await Promise.all(goingOn)
    expect(begun).toHaveLength(IN_DATABASE)
    abort()
    end()
    await expect(gone).rejects.toThrow()
    await settled()
    await endAll()
    expect(await next).toBeUndefined()
    expect(begun.slice(IN_DATABASE)).toEqual(['198.51.100.1'])
  })

  it('are refused where no turn comes in three seconds, and asked again in a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const all = Array.from({ length: IN_DATABASE }, (_, n) => read({ address: `10.${n}.0.1` }))
    await settled()
    const late = read({ address: '192.0.2.1' })
    await settled()
    vi.advanceTimersByTime(3_000)
    expect(await late).toBe(1_000)
    vi.useRealTimers()
    await endAll()
    expect(new Set(await Promise.all(all))).toEqual(new Set([undefined]))
    expect(begun).not.toContain('192.0.2.1')
  })

  it('leave some connections to everything else', () => {
    const most = (connections: number) => ({
      pool: () => ({ most: connections, open: 0, idle: 0, waiting: 0 }),
    })
    expect([10, 4, 200].map((connections) => lookupsInDatabase(most(connections)))).toEqual([6, 2, 120])
    expect(lookupsInDatabase({})).toBe(2)
  })
})
