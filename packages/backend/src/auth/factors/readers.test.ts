import { expect, it } from 'vitest'
import { AuthError } from '../wire/auth-error.js'
import { readFields } from '../wire/fields.js'
import { lineShape } from './readers.js'

it('reads a line without spaces around it, and nothing as an empty one', () => {
  expect(readFields(lineShape('issuer'), ' Grüße 🙂 ')).toBe('Grüße 🙂')
  expect(readFields(lineShape('issuer'), undefined)).toBe('')
})

it.each([
  ['a\ud800', 'issuer has characters that cannot be stored (NUL or half a surrogate pair)'],
  ['\udc00a', 'issuer has characters that cannot be stored (NUL or half a surrogate pair)'],
  ['a\0', 'issuer holds a control character'],
  ['a'.repeat(65), 'issuer has more than 64 characters'],
])('refuses %j', (line, message) => {
  const read = () => readFields(lineShape('issuer'), line)
  expect(read).toThrow(AuthError.invalid(message))
})
