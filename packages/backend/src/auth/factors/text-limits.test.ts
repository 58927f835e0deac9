import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { type SentText, waitForText } from './text-limits.js'

const SECOND = 1000
const HOUR = 3_600_000
const ada = { userId: 'ada', phoneHash: 'p-ada', isStranger: false }

/** Asks at each of these times, in ms, and sends where it may. Gives the waits. */
function send(
  times: number[],
  { of = () => ada, failed = false }: { of?: (n: number) => typeof ada; failed?: boolean } = {},
) {
  const clock = new ManualClock(1_800_000_000_000)
  const start = clock.now()
  const texts: SentText[] = []
  return times.map((time, n) => {
    clock.advance(start + time - clock.now())
    const who = of(n)
    const wait = waitForText(texts, { ...who, now: clock.now() })
    if (wait === 0)
      texts.push({
        user_id: who.userId,
        phone_hash: who.phoneHash,
        sent_at: new Date(clock.now()),
        failed,
        is_strangers: who.isStranger,
      })
    return wait / SECOND
  })
}

it('sends one text in 30 seconds', () => {
  expect(send([0, 1, 29_999, 30_000, 30_001])).toEqual([0, 29.999, 0.001, 0, 29.999])
})

it('sends five texts an hour to somebody', () => {
  const minutes = [0, 1, 2, 3, 4, 5, 60, 61].map((minute) => minute * 60 * SECOND)
  expect(send(minutes)).toEqual([0, 0, 0, 0, 0, 55 * 60, 0, 0])
})

it('sends ten texts a day to somebody', () => {
  const hours = Array.from({ length: 11 }, (_, n) => n * HOUR)
  expect(send(hours)).toEqual([...Array(10).fill(0), 14 * 3600])
})

it('sends five texts an hour to a number, whoever asks', () => {
  const of = (n: number) => ({ userId: `user-${n}`, phoneHash: 'one', isStranger: false })
  expect(send([0, 1, 2, 3, 4, 5], { of })).toEqual([0, 0, 0, 0, 0, 3599.995])
})

it('sends a hundred texts a day in all', () => {
  const of = (n: number) => ({ userId: `user-${n}`, phoneHash: `phone-${n}`, isStranger: false })
  const waits = send(
    Array.from({ length: 101 }, (_, n) => n),
    { of },
  )
  expect(waits.slice(0, 100)).toEqual(Array(100).fill(0))
  expect(waits[100]).toBeCloseTo(86_400, 0)
})

it('counts a text that could not be sent against nobody but who tries again and again', () => {
  const tries = Array.from({ length: 11 }, (_, n) => n)
  expect(send(tries, { failed: true })).toEqual([...Array(10).fill(0), 3599.99])
  const of = (n: number) => ({ userId: `user-${n}`, phoneHash: 'one', isStranger: false })
  expect(send(tries, { failed: true, of })).toEqual(Array(11).fill(0))
})

it('sends strangers two texts an hour and four a day of those of the account, and the rest to somebody at a known place', () => {
  const of = (n: number) => ({ ...ada, isStranger: n < 3 })
  expect(
    send(
      [0, 1, 2, 3, 4, 5, 6].map((minute) => minute * 60 * SECOND),
      { of },
    ),
  ).toEqual([0, 0, 58 * 60, 0, 0, 0, 54 * 60])
  const hourly = Array.from({ length: 11 }, (_, n) => n * HOUR)
  const waits = send(hourly, { of: (n) => ({ ...ada, isStranger: n < 5 }) })
  expect(waits).toEqual([0, 0, 0, 0, 20 * 3600, 0, 0, 0, 0, 0, 0])
})

it('counts texts of strangers that could not be sent against strangers first', () => {
  const of = (n: number) => ({ ...ada, isStranger: n < 5 })
  expect(
    send(
      [0, 1, 2, 3, 4, 5].map((n) => n * SECOND),
      { failed: true, of },
    ),
  ).toEqual([0, 0, 0, 0, 3596, 0])
})

it('count no text of a clock that was a day ahead', () => {
  const now = 1_800_000_000_000
  const text = { user_id: 'ada', phone_hash: 'p-ada', failed: false, is_strangers: false }
  const sentAt = (time: number) => [{ ...text, sent_at: new Date(time) }]
  expect(waitForText(sentAt(now), { ...ada, now })).toBe(30 * SECOND)
  expect(waitForText(sentAt(now + 24 * HOUR), { ...ada, now })).toBe(0)
})
