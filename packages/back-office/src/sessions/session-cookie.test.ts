import { expect, it } from 'vitest'
import { sessionCookie } from './session-cookie.js'

const own = sessionCookie('http://localhost:3000')
const secure = sessionCookie('https://demo.example.com')

it('is for this host alone, and no script reads it', () => {
  expect(own.write('abc')).toBe('heyline-console=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict')
  expect(secure.write('abc')).toBe(
    '__Host-heyline-console=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict; Secure',
  )
})

it('is taken away under the same name', () => {
  expect(own.write(undefined)).toBe('heyline-console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
  expect(secure.write(undefined)).toMatch(/^__Host-heyline-console=; Max-Age=0; .*; Secure$/)
})

it.each([
  ['heyline-console=abc', 'abc'],
  ['a=b; heyline-console=abc; c=d', 'abc'],
  ['a=b', undefined],
  ['xheyline-console=abc', undefined],
  ['__Host-heyline-console=abc', undefined],
])('is read from %s', (cookie, secret) => {
  expect(own.read(new Headers({ cookie }))).toBe(secret)
})

it('is none without a header', () => expect(own.read(new Headers())).toBeUndefined())
