import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { checkedParts } from './checked-parts.js'

function opened() {
  const clock = new ManualClock()
  const state = { made: 0, checks: 0, isAllowed: true, isEnded: false }
  async function* parts() {
    try {
      for (;;) yield ++state.made
    } finally {
      state.isEnded = true
    }
  }
  const check = async () => {
    state.checks++
    if (!state.isAllowed) throw new Error('Removed')
  }
  return { clock, state, parts: checkedParts(parts(), check, clock) }
}

it('asks no more often than it has to', async () => {
  const { clock, state, parts } = opened()
  for (let part = 0; part < 100; part++) {
    await parts.next()
    clock.advance(1_000)
  }
  expect(state.checks).toBeLessThan(13)
  await parts.return()
  expect(state.isEnded).toBe(true)
})

it('makes no part for whoever may have no more, however slowly they read', async () => {
  const { clock, state, parts } = opened()
  await parts.next()
  state.isAllowed = false
  clock.advance(9_000)
  await expect(parts.next()).rejects.toThrow('Removed')
  expect(state).toMatchObject({ made: 1, isEnded: true })
})
