import { beforeEach, expect, it } from 'vitest'
import { CallHarness } from './testing/call-harness.js'

let harness: CallHarness

beforeEach(async () => {
  harness = new CallHarness()
  await harness.start()
  harness.forget()
})

const told = () => harness.payloads('connection').map(([{ state, quality }]) => `${state} ${quality}`)

it('tells that the network is lost and back, each once', () => {
  harness.room.connection('connected')
  harness.room.connection('interrupted')
  harness.room.connection('interrupted')
  harness.room.connection('connected')
  expect(harness.payloads('connection')).toEqual([
    [{ state: 'interrupted', quality: 'good', timestamp: '2026-01-01T00:00:00.000Z' }],
    [{ state: 'connected', quality: 'good', timestamp: '2026-01-01T00:00:00.000Z' }],
  ])
})

it('is interrupted as long as signals or sound are, whatever carries the sound in the end', () => {
  harness.room.connection('interrupted', 'sfu')
  harness.room.connection('interrupted', 'signaling')
  harness.room.connection('connected', 'signaling')
  expect(told()).toEqual(['interrupted good'])
  harness.room.connection('connected', 'peer-to-peer')
  expect(told()).toEqual(['interrupted good', 'connected good'])
})

it('tells how good the network is when that changes', () => {
  for (const threshold of ['good', 'low', 'low', 'very-low'] as const)
    harness.room.emit('network-quality-change', { threshold })
  harness.room.connection('interrupted')
  expect(told()).toEqual(['connected low', 'connected very-low', 'interrupted very-low'])
})

it('is told of a joined call only', async () => {
  const early = new CallHarness({
    scripts: [
      {
        async join(room) {
          room.connection('interrupted')
          room.connection('connected')
        },
      },
    ],
  })
  await early.start()
  expect(early.payloads('connection')).toEqual([])
  const { room } = harness
  await harness.client.stop()
  room.connection('interrupted')
  expect(told()).toEqual([])
})
