import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcess } from '../ends/in-process.js'
import { UnfinishedWork } from '../ends/unfinished-work.js'
import { type Asker, LookupTurns } from './lookup-turns.js'

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
