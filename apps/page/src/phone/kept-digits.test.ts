import metadata from 'libphonenumber-js/min/metadata'
import { expect, it } from 'vitest'
import { withKeptDigits } from './kept-digits.js'

it.each([
  ['follow the new calling code', '+12025550123', '+49', 'DE', '+492025550123'],
  ['lose a trunk digit', '+107400123456', '+44', 'GB', '+447400123456'],
  ['stay away when they are a number of a third country', '+12025550123', '+7', 'KZ', '+72025550123'],
  ['stay away when they would select another country', '+17400123456', '+44', 'JE', '+44'],
  ['are not there', '+1', '+49', 'DE', '+49'],
  ['are not there after a success', undefined, '+49', 'DE', '+49'],
  ['are new ones', '+12025550123', '+493', 'DE', '+493'],
  ['were erased', '+12025550123', undefined, 'US', undefined],
  ['were erased but for a trunk digit', '+12', '+1', 'US', '+1'],
] as const)('the digits %s', (_, before, after, country, phone) => {
  expect(withKeptDigits(before, after, country, metadata)).toBe(phone)
})
