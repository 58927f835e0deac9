import { describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { phoneLink } from './phone-link.js'

const LOCAL = 'http://localhost:3000'
const PUBLIC = 'https://demo.example'
const KEY = 'a&key+of%sixteen'
const WITH_KEY = '?key=a%26key%2Bof%25sixteen'

const linkOf = (environment: Record<string, string>) => {
  const settings = readSettings(environment)
  return phoneLink(settings, settings.publicUrl ?? LOCAL)
}

describe('the link of the pocket phone', () => {
  it.each([
    ['on this machine', {}, `${LOCAL}/-/phone`],
    ['on this machine, whatever key there is', { PHONE_KEY: KEY }, `${LOCAL}/-/phone`],
    ['at an address of this machine', { PUBLIC_URL: LOCAL }, `${LOCAL}/-/phone`],
  ])('has no key %s', (_, environment, url) =>
    expect(linkOf(environment)).toEqual({ kind: 'link', url, hasKey: false }),
  )

  it.each([
    ['a public address', { PUBLIC_URL: PUBLIC }, PUBLIC],
    ["a container's port", { PUBLIC_URL: LOCAL, HOST: '0.0.0.0' }, LOCAL],
    ['a proxy on this machine', { PUBLIC_URL: 'https://localhost', TRUST_PROXY: '1' }, 'https://localhost'],
  ])('has the key, written as addresses are, for %s', (_, environment, url) =>
    expect(linkOf({ ...environment, PHONE_KEY: KEY })).toEqual({
      kind: 'link',
      url: `${url}/-/phone${WITH_KEY}`,
      hasKey: true,
    }),
  )

  it.each([
    ['at a public address', { PUBLIC_URL: PUBLIC }],
    ['behind a proxy on this machine', { PUBLIC_URL: 'https://localhost', TRUST_PROXY: '1' }],
  ])('is missing without a key %s', (_, environment) =>
    expect(linkOf(environment)).toEqual({ kind: 'closed' }),
  )

  it.each([
    ['Twilio', { CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token' }],
    ['SIP', { CARRIER: 'sip', SIP_TO: 'sip:desk@a.example' }],
    [
      'a hosted platform',
      {
        PLATFORM_URL: 'https://platform.example',
        PLATFORM_PUBLIC_KEY: 'public',
        PLATFORM_PRIVATE_KEY: 'private',
        PLATFORM_ASSISTANT_ID: 'assistant',
      },
    ],
  ])('is none where calls go through %s', (_, environment) =>
    expect(linkOf({ ...environment, PUBLIC_URL: PUBLIC, PHONE_KEY: KEY })).toEqual({ kind: 'none' }),
  )
})
