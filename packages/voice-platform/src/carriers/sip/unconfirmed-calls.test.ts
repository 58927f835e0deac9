import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { UnconfirmedCalls, type UnconfirmedPlace } from './unconfirmed-calls.js'

const ROUND_TRIP_MS = 200

function open(most = 1) {
  const clock = new ManualClock()
  const calls = new UnconfirmedCalls(most, clock)
  const entered: string[] = []
  const call = () => ({ hangUp: vi.fn() })
  const enter = async (name: string, waiting = call()) => {
    const place = await calls.enter(waiting)
    if (place) entered.push(name)
    return place as UnconfirmedPlace
  }
  /** It is answered at once, and nobody confirms it. */
  const forge = async () => (await enter('forged'))?.answered()
  /** Resolves with how long it waited, in milliseconds, once it is confirmed; with nothing where it was given up before. */
  const callTruly = async () => {
    const since = clock.now()
    const real = call()
    const place = await enter('real', real)
    const waited = clock.now() - since
    place.answered()
    return new Promise<number | undefined>((resolve) => {
      clock.after(ROUND_TRIP_MS, () => {
        place.free()
        resolve(real.hangUp.mock.calls.length === 0 ? waited : undefined)
      })
    })
  }
  /** In steps of 50 ms. */
  const pass = async (milliseconds: number, each = (_passed: number) => {}) => {
    for (let passed = 50; passed <= milliseconds; passed += 50) {
      clock.advance(50)
      await turn()
      each(passed)
      await turn()
    }
  }
  return { calls, clock, entered, call, enter, forge, callTruly, pass }
}

it('gives the place of a call that is confirmed, or not taken, to the next one at once', async () => {
  const { entered, enter } = open()
  const place = await enter('first')
  const next = enter('next')
  await turn()
  expect(entered).toEqual(['first'])
  place.free()
  place.free()
  await next
  expect(entered).toEqual(['first', 'next'])
})

it('keeps the place of a call that is over without its ACK for a second, whether or not another one waits', async () => {
  const { clock, entered, enter } = open()
  const cancelled = await enter('cancelled')
  cancelled.end()
  const next = enter('next')
  clock.advance(999)
  await turn()
  expect(entered).toEqual(['cancelled'])
  clock.advance(1)
  ;(await next).end()
  clock.advance(1_000)
  await enter('later')
  expect(entered).toEqual(['cancelled', 'next', 'later'])
})

it('gives up the one that was answered first after a second, or half of one where several wait', async () => {
  const { call, clock, entered, enter } = open(2)
  const [one, other] = [call(), call()]
  const [first, second] = [await enter('first', one), await enter('second', other)]
  first.answered()
  clock.advance(400)
  second.answered()
  const third = enter('third')
  clock.advance(599)
  expect(one.hangUp).not.toHaveBeenCalled()
  clock.advance(1)
  expect(one.hangUp).toHaveBeenCalledOnce()
  clock.advance(99)
  await turn()
  // Its end has to be known before another one may come.
  expect(entered).toEqual(['first', 'second'])
  clock.advance(1)
  ;(await third).answered()
  const [fourth] = [enter('fourth'), enter('fifth')]
  await turn()
  expect(other.hangUp).toHaveBeenCalledOnce()
  clock.advance(100)
  await turn()
  expect(entered).toEqual(['first', 'second', 'third', 'fifth'])
  clock.advance(1_000)
  clock.advance(100)
  await fourth
})

it('gives up one whose server takes long where others wait, and gives one that is answered the time of its ACK', async () => {
  const { call, clock, entered, enter } = open()
  const [slow, real] = [call(), call()]
  const first = await enter('slow', slow)
  first.asking()
  const next = enter('real', real)
  clock.advance(999)
  expect(slow.hangUp).not.toHaveBeenCalled()
  clock.advance(1)
  expect(slow.hangUp).toHaveBeenCalledOnce()
  // Its server answers late.
  first.answered()
  clock.advance(100)
  const second = await next
  second.asking()
  void enter('waiting')
  clock.advance(900)
  second.answered()
  clock.advance(999)
  expect(real.hangUp).not.toHaveBeenCalled()
  clock.advance(1)
  expect(real.hangUp).toHaveBeenCalledOnce()
  expect(entered).toEqual(['slow', 'real'])
})

it('gives up nobody who may be about to confirm, however many wait', async () => {
  const { call, clock, enter } = open()
  const slow = call()
  ;(await enter('slow', slow)).answered()
  for (let place = 0; place < 9; place++) void enter('waiting')
  clock.advance(499)
  expect(slow.hangUp).not.toHaveBeenCalled()
  clock.advance(1)
  expect(slow.hangUp).toHaveBeenCalledOnce()
})

it('takes the newest first, and none that was withdrawn', async () => {
  const { calls, call, entered, enter } = open()
  const place = await enter('first')
  const gone = call()
  const waiting = [enter('second'), enter('third'), enter('gone', gone)]
  calls.withdraw(gone)
  calls.withdraw(gone)
  expect(await waiting[2]).toBeUndefined()
  place.free()
  ;(await waiting[1])?.free()
  await waiting[0]
  expect(entered).toEqual(['first', 'third', 'second'])
})

it('withdraws a call while another one is given up', async () => {
  const { calls, call, clock, entered, enter } = open()
  const gone = call()
  const first = { hangUp: vi.fn(() => calls.withdraw(gone)) }
  ;(await enter('first', first)).answered()
  const waiting = [enter('second'), enter('gone', gone)]
  clock.advance(500)
  clock.advance(100)
  await Promise.all(waiting)
  expect(entered).toEqual(['first', 'second'])
})

it('lets each real caller in within two seconds, among eight forged calls at once and one each three seconds after', async () => {
  const { forge, callTruly, pass } = open()
  for (let place = 0; place < 8; place++) void forge()
  const waits: Array<number | undefined> = []
  let called = 0
  const real = async () => {
    called++
    waits.push(await callTruly())
  }
  void real()
  await pass(120_000, (passed) => {
    if (passed % 3_000 === 0) void forge()
    // At another time after each forged one.
    if (passed % 3_850 === 0) void real()
  })
  await pass(3_000)
  expect(waits).toHaveLength(called)
  for (const waited of waits) expect(waited).toBeLessThan(2_000)
})

it('lets a real caller in within six seconds where eight forged calls come right after', async () => {
  const { forge, callTruly, pass } = open()
  void forge()
  const waited = callTruly()
  for (let place = 0; place < 8; place++) void forge()
  await pass(8_000)
  expect(await waited).toBeLessThan(6_000)
})

it.each([
  ['are never confirmed', 1, 'answered'],
  ['are never confirmed', 2, 'answered'],
  ['are cancelled before their answer', 1, 'end'],
] as const)(
  'takes up to two calls a second until thirty are ahead, then one a second, that %s, at each of %d places',
  async (_, most, what) => {
    const { enter, entered, pass } = open(most)
    /** Always one that waits. */
    const flood = async () => {
      for (;;) (await enter('forged'))[what]()
    }
    for (let place = 0; place < most + 2; place++) void flood()
    await pass(30_000)
    expect(entered.length).toBeGreaterThan(48 * most)
    expect(entered.length).toBeLessThanOrEqual(62 * most)
    await pass(570_000)
    expect(entered.length).toBeGreaterThan(620 * most)
    expect(entered.length).toBeLessThanOrEqual((600 + 32) * most)
  },
)

it('takes made-up calls quickly again after they have kept to the pace for a while', async () => {
  const { enter, entered, pass, forge } = open()
  for (let place = 0; place < 80; place++) void forge()
  await pass(80_000)
  const before = entered.length
  expect(before).toBe(80)
  await pass(30_000)
  for (let place = 0; place < 9; place++) void enter('later').then((later) => later.answered())
  await pass(4_000)
  expect(entered.length - before).toBeGreaterThanOrEqual(7)
})
