import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { DownloadPace } from './download-pace.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('sends a short recording at once, and a long one at 16 MB a second', async () => {
  const clock = new ManualClock(0)
  const pace = new DownloadPace(clock)
  await pace.take(4_000_000)
  let sent = 0
  const all = (async () => {
    for (; sent < 16_000_000; sent += 64_000) await pace.take(64_000)
  })()
  await settled()
  expect(sent).toBe(0)
  for (let ms = 0; ms < 500; ms += 1) {
    clock.advance(1)
    await settled()
  }
  expect(sent).toBeGreaterThan(7_000_000)
  expect(sent).toBeLessThanOrEqual(8_000_000)
  for (let ms = 0; ms < 600; ms += 1) {
    clock.advance(1)
    await settled()
  }
  await all
})

it('lets one among many have its turn', async () => {
  const clock = new ManualClock(0)
  const pace = new DownloadPace(clock)
  await pace.take(4_000_000)
  const many = Array.from({ length: 100 }, () => pace.take(64_000))
  let isSent = false
  const one = pace.take(64_000).then(() => {
    isSent = true
  })
  clock.advance(405)
  await settled()
  expect(isSent).toBe(true)
  await Promise.all([...many, one])
})
