import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { ScriptedLink } from '../../testing/scripted-link.js'
import { settled } from '../../testing/session-bench.js'
import { LiveSound } from './live-sound.js'

const FRAME = new Int16Array(320)

function bench() {
  const clock = new ManualClock()
  const link = new ScriptedLink()
  link.playsAtOnce = false
  const sound = new LiveSound(link, clock)
  /** Passes sound for so long, in real time. */
  const live = async (ms: number) => {
    for (let at = 0; at < ms; at += 20) {
      sound.pass(FRAME)
      clock.advance(20)
      await settled()
    }
  }
  const clears = () => link.log.filter((entry) => entry === 'clear').length
  return { link, live, clears }
}

it('passes each frame at once, and asks twice a second how far the listener is', async () => {
  const { link, live, clears } = bench()
  await live(480)
  expect(link.log).toEqual(Array(24).fill('send'))
  await live(40)
  expect(link.pendingMarks).toBe(1)
  for (let second = 0; second < 5; second += 1) {
    await live(500)
    link.playAll()
  }
  expect(clears()).toBe(0)
})

it('drops what waits for a listener who is a second behind, and goes on', async () => {
  const { link, live, clears } = bench()
  await live(500)
  await live(1_000)
  expect(clears()).toBe(0)
  await live(40)
  expect(clears()).toBe(1)
  await live(600)
  expect(link.log.at(-1)).toMatch(/send|mark/)
  expect(clears()).toBe(1)
})
