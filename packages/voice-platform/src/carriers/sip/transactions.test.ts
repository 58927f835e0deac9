import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { ClientTransaction, cancelOf, keyOf } from './client-transaction.js'
import { newRequest } from './dialog.js'
import { ServerTransaction, visitKeyOf } from './server-transaction.js'
import { SipHeaders } from './sip-headers.js'
import { answerTo, parseMessage, type SipRequest } from './sip-message.js'

const request = (method: string): SipRequest =>
  newRequest(
    { host: '192.0.2.1', port: 5060, from: '<sip:a@a.example>;tag=1' },
    {
      method,
      uri: 'sip:b@b.example',
      to: '<sip:b@b.example>',
      callId: '1',
      cseq: 1,
      routes: ['<sip:p.example;lr>'],
    },
  )

function client(method: string, asked = request(method)) {
  const clock = new ManualClock()
  const sent: Array<{ at: number; text: string }> = []
  const told: string[] = []
  const transaction = new ClientTransaction({
    request: asked,
    clock,
    send: (datagram) => void sent.push({ at: clock.now(), text: datagram.toString() }),
    onResponse: ({ status }) => void told.push(String(status)),
    onTimeout: () => void told.push('timeout'),
    onOver: () => void told.push('over'),
    onFault: () => void told.push('fault'),
  })
  transaction.start()
  const respond = (status: number) => transaction.receive(answerTo(asked, status, { toTag: 'theirs' }))
  const times = () => sent.map(({ at }) => at)
  return { clock, sent, told, transaction, respond, times, request: asked }
}

describe('an INVITE', () => {
  it('is repeated byte for byte after 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s, until 32 s are over', () => {
    const { clock, sent, told, times } = client('INVITE')
    clock.advance(100_000)
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1)
    expect(told).toEqual(['over', 'timeout'])
    expect(clock.pending).toBe(0)
  })

  it('is not repeated once anything was said to it, and may then ring for long', () => {
    const { clock, told, respond, times } = client('INVITE')
    clock.advance(600)
    respond(100)
    respond(180)
    clock.advance(300_000)
    expect(times()).toEqual([0, 500])
    expect(told).toEqual(['100', '180'])
  })

  it('has its refusal confirmed, each time it comes, by an ACK of the same branch', () => {
    const { clock, sent, told, respond, request } = client('INVITE')
    respond(486)
    respond(486)
    expect(told).toEqual(['486'])
    const acks = sent.slice(1).map(({ text }) => parseMessage(Buffer.from(text)))
    expect(acks).toHaveLength(2)
    const [ack] = acks
    if (typeof ack !== 'object') throw new Error('There is no ACK.')
    expect(ack).toMatchObject({ method: 'ACK', uri: 'sip:b@b.example' })
    expect(keyOf(ack.headers)).toBe(keyOf(request.headers).replace('INVITE', 'ACK'))
    expect(ack.headers.get('to')).toBe('<sip:b@b.example>;tag=theirs')
    expect(ack.headers.get('route')).toBe('<sip:p.example;lr>')
    clock.advance(32_000)
    expect(told).toEqual(['486', 'over'])
    expect(clock.pending).toBe(0)
  })

  it('tells each 2xx, and leaves the ACK to whoever talks', () => {
    const { clock, sent, told, respond } = client('INVITE')
    respond(200)
    respond(200)
    respond(180)
    clock.advance(40_000)
    respond(200)
    expect(told).toEqual(['200', '200', 'over'])
    expect(sent).toHaveLength(1)
  })

  it('is given up when nothing final follows', () => {
    const { clock, told, transaction, respond } = client('INVITE')
    respond(180)
    transaction.giveUpIn(1_000)
    clock.advance(1_000)
    expect(told).toEqual(['180', 'over', 'timeout'])
  })

  it('is taken back by a CANCEL of the same branch and number', () => {
    const invite = request('INVITE')
    const cancel = cancelOf(invite)
    expect(keyOf(cancel.headers)).toBe(keyOf(invite.headers).replace('INVITE', 'CANCEL'))
    for (const name of ['from', 'to', 'call-id', 'route'])
      expect(cancel.headers.get(name)).toBe(invite.headers.get(name))
  })
})

describe('another request', () => {
  it('that cannot be written is one that nobody answers', () => {
    const asked = request('BYE')
    asked.headers.add('x', 'a\r\nb: c')
    const { clock, sent, told } = client('BYE', asked)
    clock.advance(0)
    expect([sent, told, clock.pending]).toEqual([[], ['fault', 'over', 'timeout'], 0])
  })

  it('is repeated at most every 4 s, until 32 s are over', () => {
    const { clock, told, times } = client('BYE')
    clock.advance(100_000)
    expect(times().slice(0, 6)).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500])
    expect(times().at(-1)).toBe(31_500)
    expect(told).toEqual(['over', 'timeout'])
  })

  it('is repeated more slowly once it is worked on, and not after its answer', () => {
    const { clock, told, respond, times } = client('BYE')
    respond(100)
    clock.advance(4_000)
    respond(200)
    respond(200)
    clock.advance(100_000)
    expect(times()).toEqual([0, 4_000])
    expect(told).toEqual(['100', '200', 'over'])
    expect(clock.pending).toBe(0)
  })
})

describe('a request of theirs', () => {
  function server(method: string) {
    const clock = new ManualClock()
    const sent: number[] = []
    const told: string[] = []
    const asked = request(method)
    const transaction = new ServerTransaction({
      request: asked,
      clock,
      send: () => void sent.push(clock.now()),
      onOver: () => void told.push('over'),
      onFault: () => void told.push('fault'),
    })
    return {
      clock,
      sent,
      told,
      transaction,
      answer: (status = 200) => transaction.answer(answerTo(asked, status)),
    }
  }

  it('gets the same answer each time it comes, and only one', () => {
    const { clock, sent, told, transaction, answer } = server('BYE')
    transaction.again()
    answer()
    answer()
    transaction.again()
    expect(sent).toEqual([0, 0])
    clock.advance(32_000)
    expect(told).toEqual(['over'])
    expect(clock.pending).toBe(0)
  })

  it('has its answer repeated until the ACK comes, if it is an INVITE', () => {
    const { clock, sent, transaction, answer } = server('INVITE')
    answer()
    clock.advance(4_000)
    transaction.confirm()
    clock.advance(30_000)
    expect(sent).toEqual([0, 500, 1_500, 3_500])
    expect(clock.pending).toBe(0)
  })

  it('is refused once where nothing was said to it before: its sender repeats it until a word comes', () => {
    const { clock, sent, transaction, answer } = server('INVITE')
    answer(488)
    clock.advance(20_000)
    transaction.again()
    expect(sent).toEqual([0, 20_000])
    clock.advance(12_000)
    expect(clock.pending).toBe(0)
  })

  it('is over, and tells so, where its answer cannot be written', () => {
    const { clock, sent, told, transaction } = server('INVITE')
    const answer = answerTo(transaction.request, 200, { headers: [['contact', '<sip:a@a>\r\nx: y']] })
    transaction.answer(answer)
    transaction.answer(answerTo(transaction.request, 503))
    expect([sent, told, transaction.isOver, clock.pending]).toEqual([[], ['over', 'fault'], true, 0])
    const early = server('INVITE')
    early.transaction.provisional(answer)
    expect([early.sent, early.told]).toEqual([[], ['over', 'fault']])
  })

  it('is known by its branch, its method, where it comes from, and who says to have sent it', () => {
    const from = (address: string, host = '192.0.2.1', method = 'INVITE') => {
      const { headers, ...other } = request(method)
      const via = (headers.get('via') ?? '')
        .replace('192.0.2.1', host)
        .replace(/branch=\w+/, 'branch=z9hG4bK1')
      const rest = ['from', 'to', 'call-id', 'cseq'].map((name) => [name, headers.get(name) ?? ''] as const)
      return visitKeyOf(new SipHeaders([['via', via], ...rest]), { ...other, address, port: 5060 })
    }
    expect(from('198.51.100.1', '192.0.2.1', 'ACK')).toBe(from('198.51.100.1'))
    const others = [from('198.51.100.1'), from('198.51.100.1', '192.0.2.2'), from('198.51.100.2')]
    expect(new Set([...others, from('198.51.100.1', '192.0.2.1', 'CANCEL')]).size).toBe(4)
  })

  it('is forgotten 5 s after the ACK of its refusal, whose branch confirms no 2xx', () => {
    const refused = server('INVITE')
    refused.answer(480)
    refused.transaction.confirmRefusal()
    refused.clock.advance(4_000)
    refused.transaction.confirmRefusal()
    refused.clock.advance(999)
    expect(refused.told).toEqual([])
    refused.clock.advance(1)
    expect(refused.told).toEqual(['over'])
    expect(refused.clock.pending).toBe(0)
    expect(refused.sent).toEqual([0])
    const taken = server('INVITE')
    taken.answer()
    taken.transaction.confirmRefusal()
    taken.clock.advance(500)
    expect(taken.sent).toEqual([0, 500])
  })
})
