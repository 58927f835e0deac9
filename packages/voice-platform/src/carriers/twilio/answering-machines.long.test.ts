import { levelOf } from '@heyline/room-protocol'
import { afterEach, describe, expect, it } from 'vitest'
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
import type { DialRequest } from '../carrier.js'
import type { TwilioCarrierOptions } from './twilio-carrier.js'

shareDb()
const benches: TwilioBench[] = []
afterEach(async () => {
  for (const bench of benches.splice(0).reverse()) await bench.close()
})

async function open(options: Partial<TwilioCarrierOptions> = {}) {
  const bench = await openBench(options)
  benches.push(bench)
  return bench
}

/** A call whose stream has come, and nobody knows who answered. */
async function answered(machines: DialRequest['machines'] = 'end', bench?: TwilioBench) {
  const made = await ring(bench ?? (await open()), machines ? { machines } : {})
  await made.call.answer()
  await until(async () => expect(await legsOf(made)).toMatchObject([{ state: 'answered' }]))
  const waiting = made.clock.pending
  return { ...made, waiting }
}

/** 20 ms of somebody talking at 8 kHz. */
const TALK = tone(10, 0.4)

/** Time goes by at both ends, while the callee talks or is silent. */
async function goBy({ clock, call }: Awaited<ReturnType<typeof answered>>, ms: number, talks = false) {
  for (let passed = 0; passed < ms; passed += 100) {
    const chunk = Int16Array.from({ length: 800 }, (_, at) => (talks ? (TALK[at % TALK.length] ?? 0) : 0))
    call.pass(100, chunk)
    await new Promise((resolve) => setTimeout(resolve, 2))
    clock.advance(100)
  }
}

describe('who answers', () => {
  it.each([
    ['end', 'Enable'],
    ['report', 'DetectMessageEnd'],
  ] as const)('is asked for beside the call: to %s, by %s', async (machines, MachineDetection) => {
    const { call, url } = await ring(await open(), { machines })
    expect(Object.fromEntries(call.form)).toMatchObject({
      MachineDetection,
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: `${url}/-/carriers/twilio/amd/${CALL_ID}`,
      AsyncAmdStatusCallbackMethod: 'POST',
    })
  })

  it.each([
    ['where the call asks for none', {}, {}],
    ['where it is turned off', { machines: 'end' }, { machineDetection: false }],
  ] as const)('is not asked for %s', async (_, request, options) => {
    const { call, reports } = await ring(await open(options), request)
    expect([...call.form.keys()].filter((name) => /Machine|Amd/.test(name))).toEqual([])
    await call.answer()
    await until(() => expect(reports).toEqual(['ringing', 'answered']))
  })

  it.each(['human', 'unknown', 'something new'])('is greeted at once when the news is “%s”', async (by) => {
    const { call, reports } = await answered()
    expect(reports).toEqual(['ringing'])
    await call.detect(by)
    expect(reports).toEqual(['ringing', 'answered'])
  })

  it('is greeted after two seconds without news, and what was said before is not answered', async () => {
    const made = await answered()
    const { call, reports, links } = made
    await goBy(made, 500, true)
    await goBy(made, 1_400)
    expect(reports).toEqual(['ringing'])
    await goBy(made, 100)
    await until(() => expect(reports).toEqual(['ringing', 'answered']))
    const heard: Int16Array[] = []
    links[0]?.open({
      onAudio: (samples) => void heard.push(samples),
      onMessage() {},
      onDigit() {},
      onClosed() {},
    })
    call.pass(100)
    await until(() => expect(heard.length).toBeGreaterThan(0))
    expect(Math.max(...heard.map(levelOf))).toBeLessThan(0.01)
  })

  it('is greeted after a pause, where somebody talks for longer, and after six seconds at most', async () => {
    const made = await answered()
    await goBy(made, 2_600, true)
    await goBy(made, 600)
    expect(made.reports).toEqual(['ringing'])
    await goBy(made, 200)
    await until(() => expect(made.reports).toEqual(['ringing', 'answered']))
    await made.carrier.hangUp(CALL_ID)
    await expectNoLegs(made)
    const endless = await answered('end', await open())
    await goBy(endless, 5_800, true)
    expect(endless.reports).toEqual(['ringing'])
    await goBy(endless, 300, true)
    await until(() => expect(endless.reports).toEqual(['ringing', 'answered']))
  })

  it('is heard of from any process, and found where the news was lost', async () => {
    const answering = await open()
    const { db, standIn, clock, url } = answering
    const other = await open({ db, apiUrl: standIn.url, clock, publicUrl: url })
    const { call, reports } = await answered('end', answering)
    call.deliverTo = other.url
    await call.detect('human')
    await until(() => expect(reports).toEqual(['ringing', 'answered']))
    call.deliverTo = undefined
    call.hangUp()
    await expectNoLegs(answering)
    const lost = await answered('end', await open())
    await db.query(`update voice_platform.carrier_legs set answered_by = 'machine'`)
    await goBy(lost, 2_100)
    await until(() => expect(lost.reports).toEqual(['ringing', 'ended voicemail']))
    expect(other.reports).toEqual([])
  })

  it('may hang up while nobody is sure yet', async () => {
    const { call, reports, clock, waiting } = await answered()
    call.hangUp()
    await until(() => expect(reports).toEqual(['ringing', 'ended hung-up']))
    expect(clock.pending).toBeLessThan(waiting)
  })
})

describe('a voicemail box', () => {
  it.each(['machine_start', 'machine_end_beep', 'fax'])('found out by “%s” ends the call', async (by) => {
    const { call, reports } = await answered()
    await call.detect(by)
    await until(() => expect(reports).toEqual(['ringing', 'ended voicemail']))
    await call.ended
    expect(call.closeCode ?? 1000).toBe(1000)
  })

  it('found out before its audio comes ends the call', async () => {
    const bench = await open()
    const { call, reports } = await ring(bench, { machines: 'end' })
    await call.become('in-progress')
    await call.detect('machine_start')
    expect(reports).toEqual(['ringing', 'ended voicemail'])
    expect(bench.pickedUp).toContain(CALL_ID)
    expect(await call.fetchStream()).toBeUndefined()
    await until(() => expect(call.status).toBe('completed'))
  })

  it('found out late is silent from then on', async () => {
    const made = await answered()
    await goBy(made, 2_000)
    await until(() => expect(made.reports).toEqual(['ringing', 'answered']))
    const [link] = made.links
    link?.send(tone(3_000, 0.4))
    await made.call.detect('machine_start')
    await until(() => expect(made.reports).toEqual(['ringing', 'answered', 'ended voicemail']))
    expect(await link?.mark()).toBe('cleared')
    await made.call.ended
  })

  it('that gets a message is reported when its greeting is over', async () => {
    const early = await answered('report')
    await early.call.detect('machine_end_beep')
    expect(early.reports).toEqual(['ringing', 'answered by machine'])
    early.call.hangUp()
    await expectNoLegs(early)
    const late = await answered('report', await open())
    await goBy(late, 2_000)
    await until(() => expect(late.reports).toEqual(['ringing', 'answered']))
    await late.call.detect('machine_end_silence')
    await late.call.detect('machine_end_silence')
    expect(late.reports).toEqual(['ringing', 'answered', 'machine'])
  })

  it('that is a fax gets no message', async () => {
    const { call, reports } = await answered('report')
    await call.detect('fax')
    await until(() => expect(reports).toEqual(['ringing', 'ended voicemail']))
  })

  it('hears nothing, whenever Twilio finds it out while its greeting plays', async () => {
    const bench = await open()
    const { carrier, clock, standIn, links, reports } = bench
    let silent = 0
    // Twilio takes up to 4 s; the greeting has pauses that are shorter than a person's.
    const moments = Array.from({ length: 40 }, (_, nth) => 100 + 100 * nth)
    for (const foundAfter of moments) {
      const callId = crypto.randomUUID()
      await carrier.dial({ ...dialRequest(), callId, machines: 'end' })
      const call = standIn.calls.at(-1)
      if (call === undefined) throw new Error('No call was placed.')
      await call.answer()
      await until(async () => expect(await legsOf(bench)).toMatchObject([{ state: 'answered' }]))
      for (let ms = 0; ms < foundAfter; ms += 100) {
        const isPause = ms % 1_500 >= 1_200
        call.pass(
          100,
          isPause
            ? new Int16Array(800)
            : Int16Array.from({ length: 800 }, (_, at) => TALK[at % TALK.length] ?? 0),
        )
        await new Promise((resolve) => setTimeout(resolve, 1))
        clock.advance(100)
        for (const link of links.splice(0)) link.send(tone(500, 0.4))
      }
      await call.detect('machine_start')
      await until(() => expect(reports.at(-1)).toBe('ended voicemail'))
      await call.ended
      call.pass(500)
      if (call.heard.length === 0 && call.queuedMs === 0) silent += 1
    }
    expect(silent).toBe(moments.length)
    expect(reports.filter((report) => report === 'ended voicemail')).toHaveLength(moments.length)
  }, 60_000)
})
