import { expect, it } from 'vitest'
import { changedMetadata, emailShape, phoneShape, readFields } from './fields.js'

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

/** An object whose JSON has so many bytes. */
const ofBytes = (bytes: number, letter: string) => {
  const text = letter.repeat((bytes - '{"a":""}'.length) / Buffer.byteLength(letter))
  return { a: text }
}

it.each(['a', '€', '\ud83d\ude42'])(
  'takes metadata of up to 4,000 bytes, as they stand in a token: %s',
  (letter) => {
    const most = ofBytes(3_992, letter)
    expect(changedMetadata({}, most)).toEqual(most)
    expect(() => changedMetadata({}, ofBytes(4_040, letter))).toThrow('The metadata has more than 4000 bytes')
  },
)

it('takes fields out of metadata that has more', () => {
  expect(changedMetadata({ ...ofBytes(12_000, '€'), b: 1 }, { a: null })).toEqual({ b: 1 })
})
