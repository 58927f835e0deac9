import { expect, it } from 'vitest'
import { KeyedHash, newPhoneCode, newRecoveryCodes, recoveryCodeOf, sixDigitsOf } from './codes.js'

it('makes ten recovery codes in groups of four, no two alike', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^([0-9abcdefghjkmnpqrstvwxyz]{4}-){3}[0-9abcdefghjkmnpqrstvwxyz]{4}$/)
    expect(recoveryCodeOf(code)).toBe(code.replaceAll('-', ''))
  }
})

it.each(['7k2m-x1qd-p3ta-0hv4', '7K2M X1QD P3TA 0HV4', ' 7k2mxiqdp3taohv4\n', '7k2m - xLqd - p3ta - Ohv4'])(
  'reads the recovery code %j as it was meant',
  (typed) => {
    expect(recoveryCodeOf(typed)).toBe('7k2mx1qdp3ta0hv4')
  },
)

it.each([
  '',
  '123456',
  '7k2m-x1qd-p3ta-0hv',
  '7k2m-x1qd-p3ta-0hv44',
  '7k2m-x1qd-p3ta-0hvu',
  '７k2mx1qdp3ta0hv4',
])('reads %j as no recovery code', (typed) => expect(recoveryCodeOf(typed)).toBeUndefined())

it('reads six digits with or without spaces', () => {
  expect([' 123 456 ', '000000'].map(sixDigitsOf)).toEqual(['123456', '000000'])
  expect(['12345', '1234567', '12345a', '１２３４５６', ''].map(sixDigitsOf)).toEqual(
    Array(5).fill(undefined),
  )
})

it('makes phone codes of six digits, also such with zeros in front', () => {
  for (let n = 0; n < 200; n += 1) expect(newPhoneCode()).toMatch(/^[0-9]{6}$/)
})

it('hashes by key and by what the secret belongs to', () => {
  const one = new KeyedHash(new Uint8Array(32).fill(1))
  const other = new KeyedHash(new Uint8Array(32).fill(2))
  expect(one.hash('123456', 'a')).toMatch(/^[0-9a-f]{64}$/)
  expect(one.hash('123456', 'a')).toBe(one.hash('123456', 'a'))
  const hashes = [one.hash('123456', 'a'), one.hash('123456', 'b'), other.hash('123456', 'a')]
  expect(new Set(hashes).size).toBe(3)
})
