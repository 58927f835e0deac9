import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { TextDownloads } from './text-downloads.js'

const NEAR = { address: '192.0.2.1', network: '192.0.2.0/24' }
const FAR = { address: '198.51.100.1', network: '198.51.100.0/24' }
const settled = () => new Promise((resolve) => setImmediate(resolve))

function opened() {
  const clock = new ManualClock()
  const downloads = new TextDownloads(clock)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (place = NEAR, text = 'x', left = new AbortController().signal) =>
    downloads.read(place, left, async () => {
      begun.push(place.address)
      await new Promise<void>((resolve) => ends.push(resolve))
      return text
    })
  /** Has the text that is read be there. */
  const end = async () => {
    ends.shift()?.()
    await settled()
  }
  return { clock, begun, end, ask }
}

it('reads one text at a time, of each network in turn', async () => {
  const { begun, end, ask } = opened()
  const asked = [ask(), ask(), ask(), ask(FAR)]
  await settled()
  expect(begun).toEqual([NEAR.address])
  for (let ended = 0; ended < 4; ended++) await end()
  expect(begun.indexOf(FAR.address)).toBeLessThan(3)
  expect(await Promise.all(asked)).toEqual(['x', 'x', 'x', 'x'])
})

it('rests after long texts', async () => {
  const { clock, begun, end, ask } = opened()
  const asked = Array.from({ length: 4 }, () => ask(NEAR, 'x'.repeat(2_000_000)))
  await settled()
  for (let ended = 0; ended < 4; ended++) await end()
  expect(begun).toHaveLength(3)
  clock.advance(1_000)
  await settled()
  expect(begun).toHaveLength(4)
  await end()
  clock.advance(1_000)
  await Promise.all(asked)
})

it('refuses what is more than may wait, and has another network in all the same', async () => {
  const { end, ask } = opened()
  const asked = Array.from({ length: 101 }, () => ask())
  await settled()
  await expect(ask()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
  asked.push(ask(FAR))
  for (let ended = 0; ended < 102; ended++) await end()
  await Promise.all(asked)
})

it('reads nothing for who has gone meanwhile', async () => {
  const { begun, end, ask } = opened()
  const leaving = new AbortController()
  const first = ask()
  const refused = expect(ask(NEAR, 'x', leaving.signal)).rejects.toMatchObject({ status: 503 })
  await settled()
  leaving.abort()
  await end()
  await first
  await refused
  expect(begun).toHaveLength(1)
})
