import { expect, it } from 'vitest'
import { phoneShape, readFields } from './fields.js'

it.each(['+12025550123', '12025550123', ' +1 (202) 555-01.23 '])('reads %j as E.164', (written) => {
  expect(readFields(phoneShape, written)).toBe('+12025550123')
})

it.each(['', '12', '02025550123', '+1202555012312345', '+1202555x123', '++12025550123', 12025550123])(
  'reads no number from %j',
  (written) => {
    expect(() => readFields(phoneShape, written)).toThrow('Invalid phone number format (E.164 required)')
  },
)
