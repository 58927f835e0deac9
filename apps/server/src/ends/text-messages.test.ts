import { expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { sendsTexts } from './text-messages.js'

const LOCAL = 'http://localhost:3000'
const PUBLIC = 'https://demo.example.com'
const TWILIO = {
  CARRIER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'token',
}

it.each([
  ['on this machine', {}, LOCAL, true],
  ['where nobody can open the pocket phone', {}, PUBLIC, false],
  ['where a key opens the pocket phone', { PHONE_KEY: 'a-key-of-sixteen-letters' }, PUBLIC, true],
  ['with a real carrier', TWILIO, PUBLIC, true],
  ['with a phone of SIP for each number', { CARRIER: 'sip', SIP_TO: 'sip:{number}@a.example' }, PUBLIC, true],
  ['with one phone of SIP for all', { CARRIER: 'sip', SIP_TO: 'sip:desk@a.example' }, LOCAL, false],
])('knows whether texts are read %s', (_, environment, url, expected) => {
  expect(sendsTexts(readSettings({ PUBLIC_URL: url, ...environment }), url)).toBe(expected)
})
