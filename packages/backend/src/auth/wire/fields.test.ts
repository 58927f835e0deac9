import { expect, it } from 'vitest'
import { emailShape, phoneShape, readFields } from './fields.js'

it.each(['+12025550123', '12025550123', ' +1 (202) 555-01.23 '])('reads %j as E.164', (written) => {
  expect(readFields(phoneShape, written)).toBe('+12025550123')
})

it.each(['', '12', '02025550123', '+1202555012312345', '+1202555x123', '++12025550123', 12025550123])(
  'reads no number from %j',
  (written) => {
    expect(() => readFields(phoneShape, written)).toThrow('Invalid phone number format (E.164 required)')
  },
)

it('reads an e-mail address in lower case', () => {
  expect(readFields(emailShape, ' Ada@Example.com ')).toBe('ada@example.com')
})

it.each([
  'a\0@example.com',
  'a@example\0.com',
  'a\x1b@example.com',
  'a\x7f@example.com',
  'a\ud800@example.com',
  'a@b\u0085.com',
])('reads no e-mail address from %j', (written) => {
  expect(() => readFields(emailShape, written)).toThrow('Unable to validate email address: invalid format')
})
