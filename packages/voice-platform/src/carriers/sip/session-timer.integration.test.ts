import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { answeredSip, openSipBench, type SipBench, untilSip } from '../../testing/sip-bench.js'

let bench: SipBench
afterEach(() => bench.close())

/** A call whose phone says this of its time. */
async function talking(time?: string) {
  bench = await openSipBench()
  if (time) bench.phone.extra = [['session-expires', time]]
  await answeredSip(bench)
  await untilSip(() => expect(bench.phone.requests('ACK')).toHaveLength(1))
  return bench
}
async function pass(seconds: number) {
  for (let n = 0; n < seconds * 4; n++) {
    bench.clock.advance(250)
    await turn()
  }
}
const invites = () => bench.phone.requests('INVITE')
const isOver = () => untilSip(() => expect(bench.reports.at(-1)).toBe('ended hung-up'))
const answers = (method: string) =>
  bench.phone.answers.filter(({ headers }) => headers.get('cseq')?.endsWith(method))

describe('the time of a call by SIP', () => {
  it('is known to us, as our INVITE says', async () => {
    const { phone } = await talking()
    expect(phone.requests('INVITE')[0]?.headers.all('supported')).toEqual(['timer'])
    await pass(600)
    expect(invites()).toHaveLength(1)
  })

  it('is refreshed by us where the phone leaves that to us, with the same audio', async () => {
    const { phone } = await talking('120;refresher=uac')
    await pass(58)
    expect(invites()).toHaveLength(1)
    await pass(3)
    await untilSip(() => expect(invites()).toHaveLength(2))
    const [first, second] = invites()
    expect(second?.headers.get('session-expires')).toBe('120;refresher=uac')
    expect(second?.body).toBe(first?.body)
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(2))
    expect(phone.requests('ACK')[1]?.headers.get('cseq')).toBe(
      second?.headers.get('cseq')?.replace('INVITE', 'ACK'),
    )
    await pass(62)
    await untilSip(() => expect(invites()).toHaveLength(3))
    expect(bench.reports).toEqual(['ringing', 'answered'])
  })

  it('is over where the phone does not know the call any more', async () => {
    const { phone } = await talking('120;refresher=uac')
    phone.reinvites.push(481)
    await pass(62)
    await isOver()
  })

  it('is over where every refresh is refused', async () => {
    const { phone } = await talking('120;refresher=uac')
    phone.reinvites.push(500)
    await pass(62)
    expect(bench.reports).toEqual(['ringing', 'answered'])
    await pass(30)
    await isOver()
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
  })

  it('is refreshed a little later where both sides have begun at once', async () => {
    const { phone } = await talking('120;refresher=uac')
    phone.reinvites.push('rings')
    await pass(62)
    await untilSip(() => expect(invites()).toHaveLength(2))
    phone.send('INVITE', phone.description())
    await untilSip(() => expect(answers('INVITE').map(({ status }) => status)).toEqual([491]))
    phone.refuse(491)
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(2))
    await pass(5)
    await untilSip(() => expect(invites()).toHaveLength(3))
  })

  it.each(['INVITE', 'UPDATE'])(
    'is refreshed by the phone with %s, and over where it does not',
    async (method) => {
      const { phone } = await talking('120;refresher=uas')
      await pass(60)
      const headers = [
        ['supported', 'timer'],
        ['session-expires', '120;refresher=uac'],
        ['content-type', 'application/sdp'],
      ] as const
      phone.send(method, method === 'INVITE' ? phone.description() : '', { headers })
      await untilSip(() => expect(answers(method).map(({ status }) => status)).toEqual([200]))
      expect(answers(method)[0]?.headers.get('session-expires')).toBe('120;refresher=uac')
      expect(answers(method)[0]?.headers.get('require')).toBe('timer')
      expect(answers(method)[0]?.body === '').toBe(method === 'UPDATE')
      if (method === 'INVITE') phone.send('ACK', '', { cseq: 41 })
      await pass(84)
      expect(bench.reports).toEqual(['ringing', 'answered'])
      await pass(6)
      await isOver()
      await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
    },
  )

  it('is never taken for less than 90 s', async () => {
    await talking('1;refresher=uac')
    await pass(43)
    expect(invites()).toHaveLength(1)
  })

  it('does not keep a call alive whose phone was switched off while it had us on hold', async () => {
    const { phone } = await talking()
    phone.send('INVITE', phone.description({ direction: 'sendonly' }))
    await untilSip(() => expect(answers('INVITE')).toHaveLength(1))
    phone.send('ACK', '', { cseq: 41 })
    await pass(40)
    expect(bench.reports).toEqual(['ringing', 'answered'])
    phone.isDead = true
    await pass(70)
    await isOver()
  })
})
