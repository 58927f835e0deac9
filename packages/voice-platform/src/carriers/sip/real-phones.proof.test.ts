import { spawnSync } from 'node:child_process'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readWav, wavOf } from '../../audio/wav.js'
import { joined, tone } from '../../link/link.contract.js'
import type { Link } from '../../link/link.js'
import { Baresip, freeUdpPort } from '../../testing/baresip.js'
import { Sipp, type SippStep } from '../../testing/sipp.js'
import { askSipServer } from './ask-sip-server.js'
import { createSipCarrier, type SipCarrierOptions } from './sip-carrier.js'

/** Whether a program is there: it may leave any code for its help. */
const isInstalled = (program: string, flag: string) => spawnSync(program, [flag]).error === undefined
const hasBaresip = isInstalled('baresip', '-h')
const hasSipp = isInstalled('sipp', '-v')
const left = (program: string, isThere: boolean) =>
  isThere ? '' : ` (left out: ${program} is not installed)`

const logger = pino({ level: 'silent' })
const ends: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Calls this address, and tells what becomes of it. */
function calling(to: string, options: Partial<SipCarrierOptions> = {}) {
  const carrier = createSipCarrier({ to, bind: { host: '127.0.0.1', port: 0 }, logger, ...options })
  ends.push(() => carrier.close())
  const reports: string[] = []
  const chunks: Int16Array[] = []
  const keys: string[] = []
  let link: Link | undefined
  carrier.connect({
    onRinging: () => void reports.push('ringing'),
    onMachine: () => {},
    onBackFromTransfer: () => {},
    onIncoming: async () => ({ callId: 'call' }),
    onEnded: (_callId, end) => void reports.push(`ended ${end}`),
    onAnswered(_callId, answered) {
      reports.push('answered')
      link = answered
      answered.open({
        onAudio: (samples) => void chunks.push(samples.slice()),
        onDigit: (key) => void keys.push(key),
        onMessage: () => {},
        onClosed: (reason) => void reports.push(reason),
      })
    },
  })
  const dial = (ringSeconds = 20) =>
    carrier.dial({ callId: 'call', to: '+12025550123', from: '+12025550100', ringSeconds })
  const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 10 })
  return {
    carrier,
    reports,
    keys,
    dial,
    until,
    heard: () => joined(chunks),
    link(): Link {
      if (!link) throw new Error('Nobody has answered.')
      return link
    },
  }
}

/** The part of a recording that is louder than noise: its length, its level and its pitch. */
function soundOf({ samples, sampleRate }: { samples: Int16Array; sampleRate: number }) {
  const frame = sampleRate / 50
  const isLoud = (start: number) =>
    Math.sqrt(samples.subarray(start, start + frame).reduce((sum, x) => sum + x * x, 0) / frame) > 500
  const loud = Array.from({ length: Math.floor(samples.length / frame) }, (_, n) => n * frame).filter(isLoud)
  const first = loud[0] ?? 0
  const last = (loud.at(-1) ?? 0) + frame
  const sound = samples.subarray(first + frame, last - frame)
  const level = Math.sqrt(sound.reduce((sum, x) => sum + x * x, 0) / sound.length)
  const rises = sound.filter((x, n) => n > 0 && x >= 0 && (sound[n - 1] ?? 0) < 0).length
  return {
    seconds: (last - first) / sampleRate,
    /** Frames within it in which nothing was heard. */
    gaps: (last - first) / frame - loud.length,
    level: 20 * Math.log10(level / 32_768),
    hertz: (rises * sampleRate) / sound.length,
  }
}

/** A phone that is ready, and says an A of 3 s. */
async function deskPhone(user: string) {
  const voice = Int16Array.from({ length: 24_000 }, (_, n) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * 440 * n) / 8_000)),
  )
  const phone = await Baresip.start(wavOf({ samples: voice, sampleRate: 8_000 }), user)
  ends.push(() => phone.stop())
  const to = `sip:${user}@127.0.0.1:${phone.port}`
  const ask = { to, host: '127.0.0.1', timeoutMs: 500, clock: systemClock, logger }
  await vi.waitFor(async () => expect(await askSipServer(ask)).toBe(200), { timeout: 20_000 })
  return { phone, to }
}

describe.skipIf(!hasBaresip)(`a real desk phone, baresip${left('baresip', hasBaresip)}`, () => {
  async function ringing() {
    const { phone, to } = await deskPhone('desk')
    const call = calling(to)
    await call.dial()
    await call.until(() => expect(call.reports).toContain('answered'))
    return { phone, call }
  }

  it('hears us as loud and as high as we speak, and we hear it', async () => {
    const { phone, call } = await ringing()
    const started = Date.now()
    call.link().send(tone(2_000, 0.3))
    expect(await call.link().mark()).toBe('played')
    expect(Date.now() - started).toBeGreaterThan(1_950)
    expect(Date.now() - started).toBeLessThan(3_000)
    await call.until(() =>
      expect(soundOf({ samples: call.heard(), sampleRate: 16_000 }).seconds).toBeGreaterThan(2.9),
    )
    const theirs = soundOf({ samples: call.heard(), sampleRate: 16_000 })
    expect(theirs.hertz).toBeCloseTo(440, -1)
    expect(Math.abs(theirs.level - 20 * Math.log10(9_000 / Math.SQRT2 / 32_768))).toBeLessThan(1)
    await call.carrier.hangUp('call')
    await call.until(() => expect(call.reports).toEqual(['ringing', 'answered', 'ended hung-up']))
    // baresip writes the last of it as the call ends.
    await call.until(() => expect(soundOf(readWav(phone.heard())).seconds).toBeGreaterThan(1.9))
    const ours = soundOf(readWav(phone.heard()))
    expect(ours.seconds).toBeLessThan(2.2)
    expect(ours.gaps).toBeLessThanOrEqual(2)
    expect(ours.hertz).toBeCloseTo(440, -1)
    expect(Math.abs(ours.level - 20 * Math.log10(0.3 / Math.SQRT2))).toBeLessThan(1)
  })

  it('hears each key that we press, once', async () => {
    const { phone, call } = await ringing()
    call.link().press?.('19*0')
    expect(await call.link().mark()).toBe('played')
    await call.until(() => {
      const heard = [...phone.said.matchAll(/received event: '(.)' \(end=(\d)\)/g)]
      expect(heard.map(([, key, end]) => `${key}${end}`)).toEqual([
        ...['10', '11', '90', '91', '*0', '*1', '00', '01'],
      ])
    })
  })

  async function talking() {
    const { phone } = await deskPhone('+12025550123')
    const { phone: sales } = await deskPhone('+12025550142')
    const call = calling(`sip:{number}@127.0.0.1:${sales.port}`, {
      proxy: { host: '127.0.0.1', port: phone.port },
    })
    await call.dial()
    await call.until(() => expect(call.reports).toContain('answered'))
    const transfer = async (to: string) =>
      call.carrier.transfer?.({ callId: 'call', to, from: '+12025550100', seconds: 60 })
    return { phone, sales, call, transfer }
  }

  it('calls somebody else when it is asked to', async () => {
    const { sales, call, transfer } = await talking()
    await transfer('+12025550142')
    await call.until(() => expect(sales.said).toContain('Call established: sip:+12025550123@127.0.0.1'))
    await call.until(() => expect(call.reports).toEqual(['ringing', 'answered', 'left', 'ended hung-up']))
  })

  it('stays with us where nobody is there', async () => {
    const { phone, call, transfer } = await talking()
    await expect(transfer('+12025550199')).rejects.toMatchObject({ code: 'sip-404' })
    expect(call.reports).toEqual(['ringing', 'answered'])
    await phone.press('7')
    await call.until(() => expect(call.keys).toEqual(['7']))
  })

  it('calls us, is heard and hears us, and hangs up', async () => {
    const { phone } = await deskPhone('+12025550123')
    const port = await freeUdpPort()
    const call = calling('sip:{number}@127.0.0.1', { inbound: 'trunk', bind: { host: '127.0.0.1', port } })
    await call.until(async () => {
      const ask = { to: `sip:a@127.0.0.1:${port}`, host: '127.0.0.1', timeoutMs: 200 }
      expect(await askSipServer({ ...ask, clock: systemClock, logger })).toBe(200)
    })
    await phone.dial(`sip:+12025550177@127.0.0.1:${port}`)
    await call.until(() => expect(call.reports).toEqual(['answered']))
    call.link().send(tone(1_000, 0.3))
    expect(await call.link().mark()).toBe('played')
    const theirs = () => soundOf({ samples: call.heard(), sampleRate: 16_000 })
    await call.until(() => expect(theirs().seconds).toBeGreaterThan(2))
    expect(theirs().hertz).toBeCloseTo(440, -1)
    await phone.press('b')
    await call.until(() => expect(call.reports).toEqual(['answered', 'left', 'ended hung-up']))
    await call.until(() => expect(soundOf(readWav(phone.heard())).seconds).toBeGreaterThan(0.9))
    expect(soundOf(readWav(phone.heard())).hertz).toBeCloseTo(440, -1)
  })

  it('presses keys, and hangs up', async () => {
    const { phone, call } = await ringing()
    for (const key of ['5', '#', '5']) {
      await phone.press(key)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    await call.until(() => expect(call.keys).toEqual(['5', '#', '5']))
    await phone.press('b')
    await call.until(() => expect(call.reports).toEqual(['ringing', 'answered', 'left', 'ended hung-up']))
  })
})

describe.skipIf(!hasSipp)(`a real server, SIPp${left('sip-tester', hasSipp)}`, () => {
  async function follows(steps: SippStep[], options: Partial<SipCarrierOptions> = {}) {
    const server = await Sipp.start(steps)
    ends.push(() => server.stop())
    return { server, call: calling(`sip:{number}@127.0.0.1:${server.port}`, options) }
  }
  const ANSWERED: SippStep[] = [
    { receive: 'INVITE' },
    { answer: '180 Ringing' },
    { answer: '200 OK', audio: 'sendrecv' },
    { receive: 'ACK' },
  ]
  const CHALLENGE: SippStep[] = [
    { receive: 'INVITE' },
    {
      answer: '401 Unauthorized',
      headers: ['WWW-Authenticate: Digest realm="office", nonce="47ebe028cda119c35d4877b383027d28da013815"'],
    },
    { receive: 'ACK' },
  ]
  const account = { user: 'heyline', password: 'secret' }

  it('finds our account proven, and hangs up', async () => {
    const { server, call } = await follows(
      [
        ...CHALLENGE,
        { receive: 'INVITE', proven: account },
        ...ANSWERED.slice(1),
        { ask: 'BYE' },
        { expect: 200 },
      ],
      { account },
    )
    await call.dial()
    await call.until(() => expect(call.reports).toEqual(['ringing', 'answered', 'left', 'ended hung-up']))
    expect(await server.ended()).toBe(0)
  })

  it('registers us once our account is proven', async () => {
    const { server } = await follows(
      [
        { receive: 'REGISTER' },
        ...CHALLENGE.slice(1, 2),
        { receive: 'REGISTER', proven: account },
        { answer: '200 OK', headers: ['Expires: 60'] },
      ],
      { account, inbound: 'register' },
    )
    expect(await server.ended()).toBe(0)
  })

  it('is busy', async () => {
    const { server, call } = await follows([
      { receive: 'INVITE' },
      { answer: '486 Busy Here' },
      { receive: 'ACK' },
    ])
    await call.dial()
    await call.until(() => expect(call.reports).toEqual(['ended busy']))
    expect(await server.ended()).toBe(0)
  })

  it('is called off when nobody answers in time', async () => {
    const { server, call } = await follows([
      { receive: 'INVITE' },
      { answer: '180 Ringing' },
      { receive: 'CANCEL' },
      { answer: '200 OK' },
    ])
    await call.dial(1)
    await call.until(() => expect(call.reports).toEqual(['ringing', 'ended no-answer']))
    expect(await server.ended()).toBe(0)
  })

  it('puts us on hold, and is hung up on', async () => {
    const { server, call } = await follows([
      ...ANSWERED,
      { ask: 'INVITE', audio: 'sendonly' },
      { expect: 200 },
      { ask: 'ACK' },
      { receive: 'BYE' },
      { answer: '200 OK' },
    ])
    await call.dial()
    await call.until(() => expect(call.reports).toEqual(['ringing', 'answered']))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await call.carrier.hangUp('call')
    await call.until(() => expect(call.reports.at(-1)).toBe('ended hung-up'))
    expect(await server.ended()).toBe(0)
  })
})
