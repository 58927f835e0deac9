import { expect, it } from 'vitest'
import { readSettings } from './settings.js'

const SMTP_URL = 'smtps://heyline:p%40ss@mail.example.com:465'
const MAIL_FROM = 'Heyline <heyline@example.com>'

it.each([
  [{}, false],
  [{ PUBLIC_URL: 'http://localhost:3000' }, false],
  [{ PUBLIC_URL: 'https://demo.example.com' }, true],
  [{ PUBLIC_URL: 'https://demo.example.com', OPERATORS_MFA: 'optional' }, false],
  [{ OPERATORS_MFA: 'required' }, true],
])('with %o a second factor is needed: %s', (given, needed) =>
  expect(readSettings(given).needsSecondFactor).toBe(needed),
)

it('reads a mail server and its sender', () => {
  expect(readSettings({ SMTP_URL, MAIL_FROM }).mail).toEqual({ url: SMTP_URL, from: MAIL_FROM })
  expect(readSettings({ SMTP_URL, MAIL_FROM: 'heyline@example.com' }).mail?.from).toBe('heyline@example.com')
  expect(readSettings({}).mail).toBeUndefined()
})

it.each([
  [{ SMTP_URL }, 'MAIL_FROM: is needed with SMTP_URL'],
  [{ MAIL_FROM }, 'MAIL_FROM: has no effect without SMTP_URL: set that too, or unset this'],
  [{ OPERATORS_MFA: 'on' }, 'OPERATORS_MFA: "on" is neither required nor optional'],
  [{ SMTP_URL, MAIL_FROM: 'Heyline' }, /^MAIL_FROM: "Heyline" is neither an address nor like/],
  [{ SMTP_URL, MAIL_FROM: 'a@b.c\r\nBcc: <eve@example.com>' }, /^MAIL_FROM/],
])('refuses %o', (given, message) => expect(() => readSettings(given)).toThrow(message))

it.each([
  'http://mail.example.com',
  'mail.example.com',
  'smtp://',
  'smtp://u:p%ZZ@mail.example.com',
  'smtp://m/x?y',
])('refuses %s as a mail server, and does not repeat it', (url) =>
  expect(() => readSettings({ SMTP_URL: url, MAIL_FROM })).toThrow(
    'SMTP_URL: the value is not an smtp:// or smtps:// address with a host and nothing behind it',
  ),
)
