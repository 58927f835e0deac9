import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answeredSip, openSipBench, type SipBench, untilSip } from '../../testing/sip-bench.js'
import { printRtp } from './rtp-packet.js'
import { parseSdp } from './sdp.js'

/** How loud the phone is, of 32,767. The stranger is as loud as can be. */
const PHONE = 8_000

describe('somebody else who sends from the address of the phone', () => {
  let bench: SipBench
  let stranger: Socket
  let toStranger: number
  let strangers: number
  /** Milliseconds that were heard of each. */
  let heard: { phone: number; stranger: number }

  beforeEach(async () => {
    bench = await openSipBench()
    heard = { phone: 0, stranger: 0 }
    toStranger = 0
    strangers = 0
    stranger = createSocket('udp4').on('message', () => {
      toStranger += 1
    })
    stranger.bind(0, '127.0.0.1')
    await once(stranger, 'listening')
  })
  afterEach(async () => {
    stranger.close()
    await bench.close()
  })

  async function answer() {
    const link = await answeredSip(bench)
    link.open({
      onAudio(samples) {
        const peak = Math.max(...samples)
        if (peak > 16_000) heard.stranger += samples.length / 16
        else if (peak > 4_000) heard.phone += samples.length / 16
      },
      onDigit: () => {},
      onMessage: () => {},
      onClosed: () => {},
    })
  }

  const ourPort = () => parseSdp(bench.phone.requests('INVITE')[0]?.body ?? '')?.port ?? 0
  const sent = (bytes: Buffer) =>
    new Promise<void>((resolve) => stranger.send(bytes, ourPort(), '127.0.0.1', () => resolve()))

  /** 20 ms of a loud voice. */
  function voice(): Buffer {
    strangers += 1
    const payload = new Uint8Array(160).fill(0x80)
    return printRtp({
      type: 0,
      marker: false,
      sequence: strangers,
      timestamp: strangers * 160,
      source: 4_242,
      payload,
    })
  }

  /** The phone speaks on, and meanwhile the stranger sends so many packets in each 20 ms. */
  async function speakOn(packets: number, make: () => Buffer): Promise<void> {
    for (let n = 0; n < 100; n++) {
      for (let m = 0; m < packets; m++) await sent(make())
      bench.phone.speak(new Int16Array(160).fill(PHONE))
      for (let m = 0; m < 3; m++) await turn()
      bench.clock.advance(20)
      await turn()
    }
  }

  it.each<[string, () => Buffer]>([
    ['audio', voice],
    ['junk', () => Buffer.alloc(12, 1)],
  ])('in a flood of %s takes no place from it', async (_name, make) => {
    await answer()
    bench.phone.speak(new Int16Array(160).fill(PHONE))
    await untilSip(() => expect(heard.phone).toBeGreaterThan(0))
    await speakOn(40, make)
    await untilSip(() => expect(heard.phone).toBeGreaterThan(1_900))
    await untilSip(() => expect(bench.phone.heard.length).toBeGreaterThan(90))
    expect({ toStranger, ofStranger: heard.stranger }).toEqual({ toStranger: 0, ofStranger: 0 })
  })

  it('before the phone says a word has its place until then', async () => {
    await answer()
    await untilSip(() => expect(bench.phone.requests('ACK')).toHaveLength(1))
    for (let n = 0; n < 10; n++) await sent(voice())
    await untilSip(() => expect(heard.stranger).toBeGreaterThan(100))
    await speakOn(1, voice)
    await untilSip(() => expect(heard.phone).toBeGreaterThan(1_900))
    expect(heard.stranger).toBeLessThan(300)
  })

  it('is heard at once where the phone says that its audio is elsewhere now, and not where it says the same again', async () => {
    await answer()
    const { phone } = bench
    phone.speak(new Int16Array(160).fill(PHONE))
    await untilSip(() => expect(heard.phone).toBeGreaterThan(0))
    const reinvite = async (description: string, answers: number) => {
      phone.send('INVITE', description)
      await untilSip(() => expect(phone.answers).toHaveLength(answers))
      phone.send('ACK', '', { cseq: 40 + answers })
      for (let n = 0; n < 10; n++) await sent(voice())
      for (let n = 0; n < 20; n++) await turn()
    }
    await reinvite(phone.description(), 1)
    expect(heard.stranger).toBe(0)
    await reinvite(phone.description({ port: 9 }), 2)
    await untilSip(() => expect(heard.stranger).toBeGreaterThan(100))
  })
})
