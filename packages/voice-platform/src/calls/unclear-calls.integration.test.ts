import type { Db } from '@heyline/database'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { expectNoLegs, legsOf, looksInMs, openWire, type TwilioWire, until } from '../testing/twilio-bench.js'

let db: Db
let wire: TwilioWire
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  wire = await openWire({ db })
  bench = await startPlatform(db, { carrier: wire.carrier, clock: wire.clock })
})
afterEach(async () => {
  await bench.close()
  await wire.close()
  await db.exec('delete from voice_platform.calls; delete from voice_platform.carrier_legs')
})

/** Asks for a call; Twilio's answer does not come, so nobody knows whether it is placed. */
async function callUnclear() {
  const { id: assistantId } = await bench.client.assistants.create({ name: 'Reception' })
  const made = await bench.client.calls.create({ assistantId, customer: { number: '+12025550123' } })
  const { id } = Array.isArray(made) ? made[0] : made
  await until(async () => expect(await looksInMs(wire)).toBeLessThan(30_000))
  return async () => await bench.client.calls.get(id)
}

it('a call whose answer was lost stays queued, is found at Twilio, and ends as Twilio says', async () => {
  wire.standIn.losesAnswer = true
  const call = await callUnclear()
  expect(await call()).toMatchObject({ status: 'queued' })
  wire.clock.advance(15_000)
  await until(async () => expect(await legsOf(wire)).toMatchObject([{ provider_id: wire.standIn.call.sid }]))
  expect(await call()).toMatchObject({ status: 'queued' })
  wire.standIn.call.status = 'busy'
  wire.clock.advance(30_000)
  await until(async () =>
    expect(await call()).toMatchObject({ status: 'ended', endedReason: 'customer-busy' }),
  )
  expect(wire.standIn.calls).toHaveLength(1)
  await expectNoLegs(wire)
})

it('one that Twilio never placed ends as a fault of the provider, and one that rings after that is hung up', async () => {
  wire.standIn.losesAnswer = true
  const call = await callUnclear()
  // Twilio takes its time: the call is in no list yet.
  const [late] = wire.standIn.calls.splice(0)
  wire.clock.advance(15_000)
  await until(async () => expect(await legsOf(wire)).toMatchObject([{ looked_in_vain: 1 }]))
  wire.clock.advance(30_000)
  await until(async () =>
    expect(await call()).toMatchObject({
      status: 'ended',
      endedReason: 'call.in-progress.error-providerfault-transport-never-connected',
    }),
  )
  if (!late) throw new Error('No call was placed.')
  wire.standIn.calls.push(late)
  await late.report('ringing')
  await until(() => expect(late.status).toBe('canceled'))
  expect(wire.standIn.calls).toEqual([late])
})
