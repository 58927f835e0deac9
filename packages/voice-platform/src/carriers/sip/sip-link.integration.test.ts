import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Resampler } from '../../audio/resampler.js'
import { describeLink, joined, tone } from '../../link/link.contract.js'
import type { Link } from '../../link/link.js'
import { answeredSip, openSipBench, type SipBench, untilSip } from '../../testing/sip-bench.js'
import type { RtpPacket } from './rtp-packet.js'
import { SipLink } from './sip-link.js'
import { TelephoneEvents } from './telephone-event.js'

/** Lets time pass in small steps, with a turn for the sockets after each. */
async function pass(bench: SipBench, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 20) {
    bench.clock.advance(20)
    await turn()
  }
}

/** Level of one frequency in a sound of 8 kHz, to full scale (Goertzel). */
function levelAt(samples: Int16Array, hertz: number): number {
  let real = 0
  let imaginary = 0
  for (const [n, sample] of samples.entries()) {
    real += (sample / 32_768) * Math.cos((2 * Math.PI * hertz * n) / 8_000)
    imaginary += (sample / 32_768) * Math.sin((2 * Math.PI * hertz * n) / 8_000)
  }
  return (2 * Math.hypot(real, imaginary)) / samples.length
}

const atPhone = (samples: Int16Array) => new Resampler(16_000, 8_000).process(samples)

describeLink('a SIP link', {
  async makeLink() {
    const bench = await openSipBench()
    const link = await answeredSip(bench)
    const { phone } = bench
    return {
      link,
      peer: {
        sendAudio: (samples) => phone.speak(atPhone(samples)),
        heardAudio: () => new Resampler(8_000, 16_000).process(phone.heardSpeech()),
        playAll: () => pass(bench, 2_000),
        hangUp: () => void phone.send('BYE'),
        // No packet tells it: the call asks a silent phone, and does this when nobody answers.
        drop: () => link instanceof SipLink && link.lose(),
        get ended() {
          return untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
        },
        press: (digit) => phone.press(digit),
      },
      close: bench.close,
    }
  },
})

describe('the audio of a SIP call', () => {
  let bench: SipBench
  let link: Link
  afterEach(() => bench.close())

  async function listen() {
    bench = await openSipBench()
    link = await answeredSip(bench)
    const chunks: Int16Array[] = []
    const digits: string[] = []
    link.open({
      onAudio: (samples) => void chunks.push(samples.slice()),
      onDigit: (digit) => void digits.push(digit),
      onMessage: () => {},
      onClosed: () => {},
    })
    const audioMs = () => joined(chunks).length / 16
    return { phone: bench.phone, audioMs, digits }
  }

  it('goes out as one packet of 160 bytes every 20 ms, silence too', async () => {
    const { phone } = await listen()
    await pass(bench, 1_000)
    await untilSip(() => expect(phone.heard.length).toBeGreaterThanOrEqual(50))
    expect(phone.heard.length).toBeLessThanOrEqual(52)
    expect(new Set(phone.heard.map(({ payload }) => payload.length))).toEqual(new Set([160]))
    const steps = phone.heard.slice(1).map(({ timestamp, sequence }, n) => {
      const before = phone.heard[n]
      return [(timestamp - (before?.timestamp ?? 0)) >>> 0, (sequence - (before?.sequence ?? 0)) & 0xffff]
    })
    expect(new Set(steps.map(String))).toEqual(new Set(['160,1']))
  })

  it.each([
    [
      'in another order',
      (packets: RtpPacket[]) =>
        packets.map((_, n) => packets[n ^ 1]).filter((packet) => packet !== undefined),
    ],
    ['twice', (packets: RtpPacket[]) => packets.flatMap((packet) => [packet, packet])],
  ])('comes in whole when packets come %s', async (_name, change) => {
    const { phone, audioMs } = await listen()
    phone.speak(atPhone(tone(1_000, 0.3)), change)
    // What comes before the first packet that we got is too late.
    await untilSip(() => expect(audioMs()).toBeGreaterThanOrEqual(980))
    expect(audioMs()).toBeLessThan(1_020)
  })

  it('keeps its length when packets are lost', async () => {
    const { phone, audioMs } = await listen()
    phone.speak(atPhone(tone(1_000, 0.3)), (packets) => packets.filter((_, n) => n % 10 !== 5))
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(1))
    await pass(bench, 200)
    await untilSip(() => expect(audioMs()).toBeGreaterThan(980))
    expect(audioMs()).toBeLessThan(1_020)
  })

  it('comes from the phone only', async () => {
    const { phone, audioMs } = await listen()
    // Another sender in the middle of the call, and a packet of another kind.
    phone.speak(atPhone(tone(100, 0.3)))
    phone.speak(atPhone(tone(100, 0.3)), (packets) => packets.map((packet) => ({ ...packet, source: 78 })))
    phone.speak(atPhone(tone(100, 0.3)), (packets) => packets.map((packet) => ({ ...packet, type: 8 })))
    phone.speak(atPhone(tone(20, 0.3)))
    await untilSip(() => expect(audioMs()).toBeGreaterThan(90))
    await turn()
    expect(audioMs()).toBeLessThan(130)
  })

  it('carries keys between words, none of them twice', async () => {
    const { phone, audioMs, digits } = await listen()
    phone.speak(atPhone(tone(100, 0.3)))
    phone.press('4')
    phone.press('#')
    phone.speak(atPhone(tone(100, 0.3)))
    await untilSip(() => expect(digits).toEqual(['4', '#']))
    await untilSip(() => expect(audioMs()).toBeGreaterThan(190))
  })

  it('carries keys under the number of our offer, whatever number the phone has for them', async () => {
    bench = await openSipBench()
    bench.phone.sdp = bench.phone.description({ events: 96 })
    link = await answeredSip(bench)
    const digits: string[] = []
    const nothing = () => {}
    link.open({
      onAudio: nothing,
      onMessage: nothing,
      onClosed: nothing,
      onDigit: (digit) => void digits.push(digit),
    })
    bench.phone.press('7')
    await untilSip(() => expect(digits).toEqual(['7']))
  })

  it('has our keys as events after what was said, each once, with the number that the phone has for them', async () => {
    bench = await openSipBench()
    bench.phone.sdp = bench.phone.description({ events: 96 })
    link = await answeredSip(bench)
    link.send(tone(200, 0.3))
    link.press?.('1#')
    const pressed = link.mark()
    await pass(bench, 700)
    expect(await pressed).toBe('played')
    const { heard } = bench.phone
    const keys: string[] = []
    const events = new TelephoneEvents((key) => void keys.push(key))
    const start = heard[0]?.timestamp ?? 0
    const packets = heard.filter(({ type }) => type === 96)
    for (const { payload, timestamp } of packets) events.receive(payload, timestamp - start)
    expect(keys).toEqual(['1', '#'])
    expect(packets).toHaveLength(14)
    const [, second] = [...new Set(packets.map(({ timestamp }) => timestamp))]
    // 100 ms down, and the next one 160 ms after the first.
    expect(((second ?? 0) - (packets[0]?.timestamp ?? 0)) >>> 0).toBe(1_280)
    expect(heard.findIndex(({ type }) => type === 96)).toBeGreaterThanOrEqual(10)
  })

  it('drops the keys that were not pressed yet when it is cleared, and ends the one that is down', async () => {
    const { phone } = await listen()
    link.press?.('159')
    await pass(bench, 60)
    await link.clear()
    await pass(bench, 500)
    const packets = phone.heard.filter(({ type }) => type === 101)
    expect(new Set(packets.map(({ payload }) => payload[0]))).toEqual(new Set([1]))
    expect(packets.filter(({ payload }) => (payload[1] ?? 0) & 0x80)).toHaveLength(3)
  })

  it('has our keys as tones for a phone that knows no events', async () => {
    bench = await openSipBench()
    bench.phone.sdp = bench.phone.description({ events: undefined })
    link = await answeredSip(bench)
    link.press?.('5')
    await pass(bench, 400)
    expect(bench.phone.heard.every(({ type }) => type === 0)).toBe(true)
    const sound = bench.phone.heardSpeech()
    expect(sound.length).toBeGreaterThanOrEqual(800)
    for (const hertz of [770, 1_336]) expect(levelAt(sound, hertz)).toBeGreaterThan(0.15)
    for (const hertz of [697, 852, 1_209, 1_477]) expect(levelAt(sound, hertz)).toBeLessThan(0.05)
  })

  it('is not sent while the phone has us on hold, and goes on after that', async () => {
    const { phone } = await listen()
    phone.send('INVITE', phone.description({ direction: 'inactive' }))
    await untilSip(() => expect(phone.answers).toHaveLength(1))
    await pass(bench, 100)
    const before = phone.heard.length
    await pass(bench, 500)
    expect(phone.heard.length).toBe(before)
    phone.send('ACK', '', { cseq: 41 })
    phone.send('INVITE', phone.description())
    await untilSip(() => expect(phone.answers.length).toBeGreaterThan(1))
    await pass(bench, 500)
    await untilSip(() => expect(phone.heard.length).toBeGreaterThan(before + 20))
  })

  it('goes where the audio of the phone comes from', async () => {
    bench = await openSipBench()
    bench.phone.sdp = bench.phone.description({ port: 9 })
    link = await answeredSip(bench)
    await pass(bench, 200)
    expect(bench.phone.heard).toEqual([])
    bench.phone.speak(atPhone(tone(100, 0.3)))
    await pass(bench, 400)
    await untilSip(() => expect(bench.phone.heard.length).toBeGreaterThan(10))
  })

  it('is not read faster than a phone speaks', async () => {
    const { phone, audioMs } = await listen()
    phone.speak(atPhone(tone(20_000, 0.3)))
    await untilSip(() => expect(audioMs()).toBeGreaterThan(3_000))
    for (let n = 0; n < 50; n++) await turn()
    expect(audioMs()).toBeLessThan(4_100)
  })

  it('is not heard faster than time, however large its packets, whatever their times, whoever sends them', async () => {
    const { phone, audioMs } = await listen()
    for (let n = 0; n < 300; n++) {
      const packet = { type: 0, marker: false, sequence: n % 10, timestamp: (n % 10) * 9_488 }
      phone.sendPacket({ ...packet, source: Math.floor(n / 10), payload: new Uint8Array(1_488) })
      if (n % 10 === 9) await pass(bench, 120)
    }
    expect(audioMs()).toBeGreaterThan(29_000)
    expect(audioMs()).toBeLessThan(30_000 + 1.1 * 3_600)
  })
})
