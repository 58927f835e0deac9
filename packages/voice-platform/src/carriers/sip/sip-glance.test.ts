import { expect, it } from 'vitest'
import { glanceAt } from './sip-glance.js'
import { parseMessage } from './sip-message.js'

const message = (first: string, ...callId: string[]) =>
  Buffer.from(
    [
      first,
      'Via: SIP/2.0/UDP a;branch=z9hG4bKq',
      'From: <sip:a@b>;tag=1',
      'To: <sip:a@b>',
      ...callId,
      `CSeq: 1 ${first.split(' ')[0] === 'SIP/2.0' ? 'INVITE' : first.split(' ')[0]}`,
      '',
      'Call-ID: in-the-body',
    ].join('\r\n'),
  )

it.each([
  [['Call-ID: one@here']],
  [['call-id   :\tone@here  ']],
  [['i:one@here']],
  [['Call-ID:', ' one@here']],
  [['Call-ID: \u00a0one@here\u00a0']],
  [['Subject: x', '\tCall-ID: another', 'I: one@here']],
])('finds the Call-ID that a message has: %j', (callId) => {
  const datagram = message('INFO sip:a@b SIP/2.0', ...callId)
  const parsed = parseMessage(datagram)
  expect(typeof parsed === 'string' ? parsed : parsed.headers.get('call-id')).toBe('one@here')
  expect(glanceAt(datagram)).toEqual({ method: 'INFO', callId: 'one@here' })
})

it('finds no method in an answer, and nothing where there is nothing', () => {
  expect(glanceAt(message('SIP/2.0 200 OK', 'Call-ID: x'))).toEqual({ method: undefined, callId: 'x' })
  expect(glanceAt(Buffer.from('\r\n\r\n'))).toEqual({ method: undefined, callId: '' })
  expect(glanceAt(message('BYE sip:a@b SIP/2.0'))).toEqual({ method: 'BYE', callId: '' })
})
