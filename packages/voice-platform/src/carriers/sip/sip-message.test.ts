import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { SessionTimer } from './session-timer.js'
import {
  answerTo,
  branchOf,
  cseqOf,
  MESSAGE_MOST,
  parseMessage,
  printMessage,
  type SipRequest,
  sentByOf,
} from './sip-message.js'

const INVITE = [
  'INVITE sip:bob@biloxi.example SIP/2.0',
  'Via: SIP/2.0/UDP pc33.atlanta.example:5066;branch=z9hG4bK776asdhds',
  'Via: SIP/2.0/UDP a.example;branch=z9hG4bKa , SIP/2.0/UDP b.example;branch=z9hG4bKb',
  'Max-Forwards: 70',
  'To: "Bob, the builder" <sip:bob@biloxi.example>',
  'From: Alice <sip:alice@atlanta.example>;tag=1928301774',
  'Call-ID: a84b4c76e66710',
  'CSeq: 314159 INVITE',
  'Content-Length: 4',
]

const datagram = (lines: readonly string[], body = 'body') =>
  Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)

function parsed(lines: readonly string[], body?: string) {
  const message = parseMessage(datagram(lines, body))
  if (typeof message === 'string') throw new Error(message)
  return message
}

/** The lines with this one in the place of that of the same name. */
const withLine = (line: string) =>
  INVITE.map((other) => (other.split(':')[0] === line.split(':')[0] ? line : other))

describe('a SIP message', () => {
  it('is read', () => {
    const message = parsed(INVITE)
    expect(message).toMatchObject({
      kind: 'request',
      method: 'INVITE',
      uri: 'sip:bob@biloxi.example',
      body: 'body',
    })
    expect(message.headers.all('via')).toHaveLength(3)
    expect(message.headers.all('to')).toEqual(['"Bob, the builder" <sip:bob@biloxi.example>'])
    expect(branchOf(message.headers)).toBe('z9hG4bK776asdhds')
    expect(cseqOf(message.headers)).toEqual({ number: 314_159, method: 'INVITE' })
  })

  it('is printed as it can be read again', () => {
    const message = parsed(INVITE)
    expect(printMessage(message).toString()).toContain(
      '\r\nCall-ID: a84b4c76e66710\r\nCSeq: 314159 INVITE\r\n',
    )
    const again = parseMessage(printMessage(message))
    expect(again).toMatchObject({ method: 'INVITE', body: 'body' })
    expect(printMessage(parsed(INVITE, 'body and what stands behind it')).toString()).toMatch(/\r\n\r\nbody$/)
  })

  it('may have short names, lines in two pieces, and bytes behind its body', () => {
    const lines = [
      'SIP/2.0 180 Ringing',
      'v: SIP/2.0/UDP a.example',
      '\t;branch=z9hG4bKa',
      'f: <sip:a@a.example>',
      't: <sip:b@b.example>;tag=1',
      'i: 1',
      'CSEQ:   1   INVITE',
      'l: 2',
    ]
    const message = parsed(lines, 'ok, and more')
    expect(message).toMatchObject({ kind: 'response', status: 180, reason: 'Ringing', body: 'ok' })
    expect(branchOf(message.headers)).toBe('z9hG4bKa')
  })

  it('may have the short names of transfers and session timers', () => {
    const call = [
      'v: SIP/2.0/UDP a.example;branch=z9hG4bKa',
      'f: <sip:a@a>;tag=1',
      't: <sip:b@b>;tag=2',
      'i: 1',
    ]
    const notify = parsed(['NOTIFY sip:b@b SIP/2.0', ...call, 'CSeq: 2 NOTIFY', 'o: refer'])
    expect(notify.headers.get('event')).toBe('refer')
    const { headers } = parsed(['SIP/2.0 200 OK', ...call, 'CSeq: 1 INVITE', 'x: 120;refresher=uac'])
    const clock = new ManualClock()
    const refreshed: number[] = []
    const timer = new SessionTimer({ clock, refresh: (seconds) => refreshed.push(seconds), expire: () => {} })
    timer.follow(headers, 'uac')
    clock.advance(60_000)
    expect(refreshed).toEqual([120])
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'no end'],
    ['a keep-alive', Buffer.from('\r\n\r\n'), 'has no via'],
    ['too many bytes', datagram(INVITE, 'x'.repeat(MESSAGE_MOST)), 'larger'],
    ['a line that is too long', datagram([...INVITE, `X: ${'x'.repeat(2_048)}`]), 'a line of more'],
    ['too many lines', datagram([...INVITE, ...Array(96).fill('X: x')]), 'more than 96'],
    ['a control character', datagram([...INVITE, 'X: \u0000']), 'control'],
    ['a line that is no header', datagram([...INVITE, 'no header']), 'no header'],
    ['another method in CSeq', datagram(withLine('CSeq: 1 BYE')), 'two methods'],
    ['a CSeq that is too large', datagram(withLine('CSeq: 2147483648 INVITE')), 'CSeq'],
    ['two callers', datagram([...INVITE, 'f: <sip:eve@evil.example>']), 'more than one from'],
    ['no branch', datagram(INVITE.filter((line) => !line.startsWith('Via'))), 'no via'],
    ['a body that is cut off', datagram(withLine('Content-Length: 400')), 'another length'],
    ['a length that is no number', datagram(withLine('Content-Length: -1')), 'another length'],
    ['another version', datagram(['INVITE sip:b SIP/3.0', ...INVITE.slice(1)]), 'no line of SIP'],
    ['a web request', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 'no via'],
  ])('is refused with %s', (_name, bytes, why) => {
    expect(parseMessage(bytes)).toEqual(expect.stringContaining(why))
  })

  it('is read or refused whatever comes, and never throws', () => {
    const whole = datagram(INVITE)
    let state = 1
    for (let n = 0; n < 3_000; n++) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 3; change++) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        bytes[state % bytes.length] = state >>> 24
      }
      const message = parseMessage(bytes.subarray(0, state % (bytes.length + 1)))
      if (typeof message !== 'string' && message.kind === 'request') printMessage(answerTo(message, 403))
    }
  })

  it('may have tabs as white space, and its answer has none', () => {
    const message = parsed([
      ...INVITE.filter((line) => !/^(To|CSeq)/.test(line)),
      'To\t:\t"Bob\tX"\t<sip:bob@biloxi.example>;\ttag=1',
      'CSeq: 314159\tINVITE',
    ])
    expect(message.headers.get('to')).toBe('"Bob X" <sip:bob@biloxi.example>; tag=1')
    const answer = printMessage(answerTo(message as SipRequest, 200)).toString()
    expect(answer).toContain('\r\nCSeq: 314159 INVITE\r\n')
    expect(answer).not.toContain('\t')
  })

  it('has what its answer brings back in 2,048 characters, and in as many bytes as it was sent', () => {
    const route = (length: number) => `Record-Route: <sip:${'r'.repeat(length)}>`
    expect(parsed([...INVITE, route(1_000)])).toMatchObject({ method: 'INVITE' })
    expect(parseMessage(datagram([...INVITE, route(1_000), route(1_000)]))).toContain('more than 2048')
    const bytes = datagram(withLine(`To: "${'x'.repeat(300)}" <sip:b@b>`))
    bytes.fill(0xff, bytes.indexOf('xxx'), bytes.indexOf('xxx') + 300)
    expect(parseMessage(bytes)).toBe('is no UTF-8')
  })

  it.each([
    ['SIP/2.0/UDP pc33.Atlanta.example:5066;branch=z9hG4bK1', 'pc33.atlanta.example:5066'],
    ['SIP / 2.0 / UDP  a.example : 5070 ;branch=z9hG4bK1', 'a.example:5070'],
    ['SIP/2.0/UDP [2001:db8::1];rport;branch=z9hG4bK1', '[2001:db8::1]'],
    ['z9hG4bK1', ''],
  ])('was sent by whom %s names', (via, sender) => {
    const { headers } = parsed(
      ['OPTIONS sip:a@b SIP/2.0', `Via: ${via};branch=b`, ...INVITE.slice(4, 7), 'CSeq: 1 OPTIONS'],
      '',
    )
    expect(sentByOf(headers)).toBe(sender)
  })

  it('can not be given a line by a value', () => {
    const message = parsed(INVITE)
    message.headers.add('x', 'a\r\nEvil: b')
    expect(() => printMessage(message)).toThrow(TypeError)
  })
})

it('answers with the way back, and a tag of its own where there is none', () => {
  const message = parsed(INVITE)
  if (message.kind !== 'request') throw new Error('It is no request.')
  const answer = answerTo(message, 486, { toTag: 'mine' })
  expect(answer.headers.lines('via')).toEqual(message.headers.lines('via'))
  expect(answer.headers.get('to')).toMatch(/;tag=mine$/)
  expect(answer.headers.get('from')).toBe(message.headers.get('from'))
})
