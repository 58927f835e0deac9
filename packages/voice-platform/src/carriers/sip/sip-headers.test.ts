import { describe, expect, it } from 'vitest'
import { SipHeaders, valuesOf } from './sip-headers.js'
import { MESSAGE_MOST, parseMessage } from './sip-message.js'

describe('values of a list', () => {
  it.each([
    ['a, b ,c', ['a', 'b', 'c']],
    [' , a,, ', ['a']],
    ['"a, b" <sip:c,d@e>, f', ['"a, b" <sip:c,d@e>', 'f']],
    [String.raw`"a\", b", c`, [String.raw`"a\", b"`, 'c']],
    [String.raw`a\, b`, ['a\\', 'b']],
    ['"a>, b", <c">, d', ['"a>, b"', '<c">', 'd']],
    ['a, "b, c', ['a', '"b, c']],
    ['a, <b, c', ['a', '<b, c']],
    ['', []],
  ])('are split at commas outside of quotes and brackets: %s', (list, values) => {
    expect(valuesOf(list)).toEqual(values)
  })
})

describe('SipHeaders', () => {
  it('has the first value of a name, whatever stands behind it', () => {
    const headers = new SipHeaders([
      ['v', 'a;x="1, 2", b'],
      ['v', 'c'],
    ])
    expect(headers.first('via')).toBe('a;x="1, 2"')
    expect(headers.first('contact')).toBeUndefined()
  })

  it.each([
    ['b', 'referred-by'],
    ['o', 'event'],
    ['r', 'refer-to'],
    ['X', 'session-expires'],
  ])('knows %s as %s', (short, name) => {
    expect(new SipHeaders([[short, 'a']]).get(name)).toBe('a')
  })
})

// Read to its end at each sign that is not closed, one such line took 3 to 8 ms: these would take ten seconds and more.
it.each(['<', '"', '"\\', '<"'])(
  'a datagram full of %s takes no longer than another',
  (signs) => {
    const via = `SIP/2.0/UDP a;branch=z,${signs.repeat(Math.floor(1_900 / signs.length))}`
    const lines = [
      'OPTIONS sip:a@b SIP/2.0',
      `v:${via}`,
      'f:<sip:a@b>;tag=1',
      't:<sip:a@b>',
      'i:x',
      'cseq:1 OPTIONS',
    ]
    const datagram = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
    expect(datagram.length).toBeLessThan(MESSAGE_MOST)
    for (let times = 0; times < 4_000; times++)
      expect(parseMessage(datagram)).toMatchObject({ method: 'OPTIONS' })
  },
  10_000,
)
