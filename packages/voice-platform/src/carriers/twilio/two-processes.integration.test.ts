import { afterEach, expect, it } from 'vitest'
import { tone } from '../../link/link.contract.js'
import {
  CALL_ID,
  dialRequest,
  expectNoLegs,
  legsOf,
  openBench,
  ring,
  shareDb,
  type TwilioBench,
  until,
} from '../../testing/twilio-bench.js'

shareDb()
const benches: TwilioBench[] = []
afterEach(async () => {
  for (const bench of benches.splice(0).reverse()) await bench.close()
})

/** Two processes on one database. Twilio knows only the second one's address; the first one dials. */
async function twoProcesses() {
  const answering = await openBench()
  const { db, standIn } = answering
  const account = { db, apiUrl: standIn.url, clock: answering.clock }
  const dialling = await openBench({ ...account, publicUrl: answering.url })
  benches.push(answering, dialling)
  return { dialling, answering, standIn }
}

async function ringing() {
  const { dialling, answering, standIn } = await twoProcesses()
  await dialling.carrier.dial(dialRequest())
  await until(() => expect(answering.reports).toEqual(['ringing']))
  return { dialling, answering, standIn, call: standIn.call }
}

it('callbacks and audio go to the process that did not dial, and the call talks there', async () => {
  const { dialling, answering, call } = await ringing()
  expect(await call.answer()).toBe('streaming')
  await until(() => expect(answering.reports).toEqual(['ringing', 'answered']))
  const heard: Int16Array[] = []
  answering.links[0]?.open({
    onAudio: (samples) => void heard.push(samples),
    onMessage() {},
    onDigit() {},
    onClosed() {},
  })
  answering.links[0]?.send(tone(300, 0.4))
  await until(() => {
    answering.clock.advance(320)
    call.pass(320)
    expect(call.heard.length).toBeGreaterThan(2_000)
    expect(heard.length).toBeGreaterThan(0)
  })
  call.hangUp()
  await until(() => expect(answering.reports).toEqual(['ringing', 'answered', 'ended hung-up']))
  expect(dialling.reports).toEqual([])
  await expectNoLegs(answering)
})

it('the process that dialled hangs up a call whose audio another one has', async () => {
  const { dialling, answering, call } = await ringing()
  await call.answer()
  await until(() => expect(answering.links).toHaveLength(1))
  const closed: string[] = []
  answering.links[0]?.open({
    onAudio() {},
    onMessage() {},
    onDigit() {},
    onClosed: (why) => void closed.push(why),
  })
  await dialling.carrier.hangUp(CALL_ID)
  await call.ended
  await until(() => expect(closed).toEqual(['left']))
  const ends = [...dialling.reports, ...answering.reports].filter((report) => report.startsWith('ended'))
  expect(ends).toEqual(['ended hung-up'])
})

it('a call comes back from a transfer, though Twilio asks another process what follows, and brings its audio there', async () => {
  const asked: string[] = []
  const at: { holder?: TwilioBench } = {}
  const other = await openBench({}, (callId) => {
    asked.push(callId)
    return at.holder?.carrier
  })
  const { db, standIn, clock, url } = other
  const holder = await openBench({ db, apiUrl: standIn.url, clock, publicUrl: url })
  at.holder = holder
  benches.push(other, holder)
  await holder.carrier.dial(dialRequest())
  const { call } = standIn
  await until(() => expect(other.reports).toEqual(['ringing']))
  await call.answer()
  await until(() => expect(holder.reports).toEqual(['answered']))
  asked.length = 0
  await holder.carrier.transfer?.({ callId: CALL_ID, to: '+12025550142', from: '+12025550100', seconds: 300 })
  expect(await call.dialOver('busy')).toBe('streaming')
  await until(() => expect(holder.reports).toEqual(['answered', 'back busy']))
  // The question what follows, and the stream.
  expect(asked).toEqual([CALL_ID, CALL_ID])
  expect(other.reports).toEqual(['ringing'])
})

it('the audio of a call outlives the process that dialled', async () => {
  const { dialling, answering, call } = await ringing()
  await call.answer()
  await until(() => expect(answering.reports).toEqual(['ringing', 'answered']))
  await dialling.carrier.close()
  expect(call.status).toBe('in-progress')
  expect(await legsOf(answering)).toMatchObject([{ state: 'answered' }])
})

it('a call is dialled once, whichever process is asked', async () => {
  const { dialling, answering, standIn } = await ringing()
  await expect(answering.carrier.dial(dialRequest())).rejects.toMatchObject({ code: 'already_dialled' })
  await expect(dialling.carrier.dial(dialRequest())).rejects.toMatchObject({ code: 'already_dialled' })
  expect(standIn.calls).toHaveLength(1)
})

it('one process ends a silent call of another that is gone, once', async () => {
  const { dialling, answering, standIn, call } = await ringing()
  await dialling.carrier.close()
  await call.ended
  await answering.carrier.dial({ ...dialRequest(), callId: crypto.randomUUID() })
  const [, lost] = standIn.calls
  standIn.signingToken = 'spoilt, so that the callback is refused'
  await lost?.become('no-answer')
  answering.clock.advance(55_000)
  await until(() => expect(answering.reports.at(-1)).toBe('ended no-answer'))
  await expectNoLegs(answering)
})

it('a call that we have given up is hung up when it turns out to live', async () => {
  const bench = await openBench()
  benches.push(bench)
  const { call } = await ring(bench)
  await bench.db.query('delete from voice_platform.carrier_legs')
  await call.report('in-progress')
  await until(() => expect(call.status).not.toBe('ringing'))
  expect(bench.reports).toEqual(['ringing'])
})
