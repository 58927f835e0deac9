import { describe, expect, it } from 'vitest'
import {
  fillAddress,
  hostPort,
  inBrackets,
  isSipCaller,
  isSipTemplate,
  namesNumber,
  numberIn,
} from './sip-address.js'
import { parseNameAddress, parseUri, userPart } from './sip-uri.js'

describe('an address of SIP', () => {
  it('is read', () => {
    expect(parseUri('sip:+12025550100@PBX.example:5070;transport=udp')).toEqual({
      user: '+12025550100',
      host: 'pbx.example',
      hostText: 'PBX.example',
      port: 5070,
      text: 'sip:+12025550100@PBX.example:5070;transport=udp',
    })
    expect(parseUri('sip:[2001:db8::1]:5060')).toMatchObject({
      host: '2001:db8::1',
      hostText: '[2001:db8::1]',
    })
  })

  it.each([
    'sips:a@b.example',
    'tel:+1202',
    'sip:',
    'sip:a@',
    'sip:a b@c.example',
    'sip:a@b.example:0',
    'sip:a@b.example:65536',
    'sip:a@b.example?subject=x',
    'sip:a@b.example>',
    `sip:${'a'.repeat(600)}@b.example`,
  ])('is not %s', (text) => {
    expect(parseUri(text)).toBeUndefined()
  })

  it('stands in a header with a name and a tag', () => {
    expect(parseNameAddress('"A <x>" <sip:a@b.example;lr>;tag=1')).toMatchObject({
      uri: { text: 'sip:a@b.example;lr' },
      tag: '1',
    })
    expect(parseNameAddress('sip:a@b.example;tag=2')).toMatchObject({ uri: { user: 'a' }, tag: '2' })
    expect(parseNameAddress('<sip:a@b.example;tag=3>')).toMatchObject({ tag: undefined })
  })
})

it('has any name of an account as its user', () => {
  expect(['heyline', '+12025550100', 'desk@pbx', 'a"<é'].map(userPart)).toEqual([
    'heyline',
    '+12025550100',
    'desk%40pbx',
    'a%22%3C%C3%A9',
  ])
})

describe('the number in an address', () => {
  it.each([
    ['+12025550100', 'sip:{number}@pbx'],
    ['%2B12025550100', 'sip:{number}@pbx'],
    ['+12025550100;phone-context=x', 'sip:desk@pbx'],
    ['12025550100', 'sip:{digits}@pbx'],
    ['0012025550100', 'sip:00{digits}@pbx'],
    ['+12025550100', 'sip:00{digits}@pbx'],
    ['12025550100#', 'sip:{digits}#@pbx'],
  ])('%s is read where calls go to %s', (user, template) => {
    expect(numberIn(user, template)).toBe('+12025550100')
  })

  it.each([
    [undefined, 'sip:{number}@pbx'],
    ['201', 'sip:{number}@pbx'],
    ['2025550100', 'sip:desk@pbx'],
    ['02025550100', 'sip:{digits}@pbx'],
    ['12025550100', 'sip:00{digits}@pbx'],
    ['+1202555010x', 'sip:{number}@pbx'],
    ['00', 'sip:00{digits}00@pbx'],
  ])('%s is none where calls go to %s', (user, template) => {
    expect(numberIn(user, template)).toBeUndefined()
  })
})

describe('an address for every number', () => {
  it('has the number with its plus, or without', () => {
    expect(fillAddress('sip:{number}@a.example', '+12025550100')).toBe('sip:+12025550100@a.example')
    expect(fillAddress('sip:00{digits}@a.example', '+12025550100')).toBe('sip:0012025550100@a.example')
    expect(namesNumber('sip:{digits}@a.example')).toBe(true)
    expect(namesNumber('sip:desk@a.example')).toBe(false)
  })

  it.each([
    ['sip:{number}@pbx.example', true, true],
    ['sip:desk@192.0.2.1:5062', true, true],
    ['"Heyline" <sip:{number}@pbx.example>', false, true],
    ['sip:{name}@pbx.example', false, false],
    ['{number}', false, false],
    ['"x" <sip:a@b.example>;tag=1', false, false],
    ['<sip:a@b.example> <sip:c@d.example>', false, false],
    ['sip:a@b.example\r\nX: y', false, false],
  ])('%s: phone %s, caller %s', (text, isPhone, isCaller) => {
    expect([isSipTemplate(text), isSipCaller(text)]).toEqual([isPhone, isCaller])
  })

  it('stands in a header', () => {
    expect(inBrackets('sip:a@b.example')).toBe('<sip:a@b.example>')
    expect(inBrackets('A <sip:a@b.example>')).toBe('A <sip:a@b.example>')
    expect([hostPort('192.0.2.1', 5060), hostPort('::1', 5060)]).toEqual(['192.0.2.1:5060', '[::1]:5060'])
  })
})
