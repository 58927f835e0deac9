import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { Reachability } from './reachability.js'

function started() {
  const clock = new ManualClock()
  const server = { isUp: false, isOnline: true, asked: 0 }
  const back = vi.fn()
  const reach = new Reachability({
    clock,
    isOnline: () => server.isOnline,
    ask: async () => {
      server.asked++
      return server.isUp
    },
    back,
  })
  return { clock, server, back, reach }
}

it('asks a server that did not answer until it does', async () => {
  const { clock, server, back, reach } = started()
  reach.failed()
  expect(reach.get()).toBe('unreachable')
  clock.advance(3000)
  await vi.waitFor(() => expect([server.asked, clock.pending]).toEqual([1, 1]))
  server.isUp = true
  clock.advance(3000)
  await vi.waitFor(() => expect(reach.get()).toBe('reached'))
  expect([back.mock.calls.length, clock.pending]).toEqual([1, 0])
})

it('tells a device without network from a server that is down', () => {
  const { server, reach } = started()
  server.isOnline = false
  reach.failed()
  expect(reach.get()).toBe('offline')
})

it('asks one question at a time, and none once it is stopped', () => {
  const { clock, reach } = started()
  reach.failed()
  reach.failed()
  expect(clock.pending).toBe(1)
  reach.stop()
  expect(clock.pending).toBe(0)
})

it('says nothing of answers while all is well', () => {
  const { back, reach } = started()
  reach.answered()
  expect(back).not.toHaveBeenCalled()
})
