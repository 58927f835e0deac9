import { expect, it } from 'vitest'
import { readSettings } from './settings.js'

const PUBLIC = { PUBLIC_URL: 'https://demo.example', HUMAN_CHECK: 'off' }
const SUPABASE = { SUPABASE_URL: 'https://x.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' }
const PLATFORM = {
  PLATFORM_URL: 'https://api.vapi.ai',
  PLATFORM_PRIVATE_KEY: 'private',
  PLATFORM_ASSISTANT_ID: 'assistant',
}

it.each([
  ['on this machine', {}, 'direct'],
  ['under a name of this machine', { PUBLIC_URL: 'http://demo.localhost:3000' }, 'direct'],
  ['where strangers come', PUBLIC, 'minted'],
  ['where strangers come, with a hosted platform', { ...PUBLIC, ...PLATFORM }, 'minted'],
  ['with hosted visitors', { ...PUBLIC, ...SUPABASE }, 'direct'],
  ['with a foreign webhook', { ...PUBLIC, CALL_WEBHOOK_URL: 'https://hooks.example/' }, 'minted'],
  [
    'with a foreign webhook and a hosted platform',
    { ...PUBLIC, ...PLATFORM, PLATFORM_PUBLIC_KEY: 'public', CALL_WEBHOOK_URL: 'https://hooks.example/' },
    'direct',
  ],
  [
    'as it is said with a foreign webhook',
    { WEB_CALLS: 'minted', CALL_WEBHOOK_URL: 'https://hooks.example/' },
    'minted',
  ],
  ['as it is said', { ...PUBLIC, WEB_CALLS: 'direct' }, 'direct'],
  ['as it is said on this machine', { WEB_CALLS: 'minted' }, 'minted'],
  [
    'as it is said with hosted visitors',
    { ...SUPABASE, SUPABASE_SECRET_KEY: 'sb_secret_x', WEB_CALLS: 'minted' },
    'minted',
  ],
])('%s browser calls are %j', (_, environment, webCalls) => {
  expect(readSettings(environment).webCalls).toBe(webCalls)
})

it.each([
  [{ WEB_CALLS: 'on' }, 'WEB_CALLS: "on" is neither minted nor direct'],
  [
    { ...PLATFORM, WEB_CALLS: 'minted', CALL_WEBHOOK_URL: 'https://hooks.example/' },
    'WEB_CALLS: minted calls are made by our own call desk, which is off with CALL_WEBHOOK_URL and PLATFORM_URL: unset one of them',
  ],
  [
    { ...SUPABASE, WEB_CALLS: 'minted' },
    'SUPABASE_SECRET_KEY: is needed with WEB_CALLS=minted and SUPABASE_URL',
  ],
  [PLATFORM, 'PLATFORM_PUBLIC_KEY: is needed with PLATFORM_URL'],
])('refuses %j', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message)
})

it('needs no public key of a hosted platform where the page uses none', () => {
  expect(readSettings({ ...PLATFORM, WEB_CALLS: 'minted' }).platform?.publicKey).toBeUndefined()
})
