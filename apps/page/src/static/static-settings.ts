import type { Settings } from '../settings.js'
import { secretKeyReason } from './secret-key.js'
import { SettingError } from './setting-error.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Secrets that may stand in the same environment, and must not come into the page under a public name. */
const SECRETS = ['SUPABASE_SECRET_KEY', 'PLATFORM_PRIVATE_KEY', 'PLATFORM_HOOK_SECRET']

/**
 * What a static page is told, from the server's own names. An empty value counts as none. The page has no server behind
 * it that could stand in, so all three ends must be named. Throws a `SettingError` for the first value that can't be used.
 */
export function readStaticSettings(env: Environment): Settings {
  return {
    backendUrl: address(env, 'SUPABASE_URL'),
    backendKey: publicKey(env, 'SUPABASE_PUBLISHABLE_KEY'),
    callWebhookUrl: address(env, 'CALL_WEBHOOK_URL'),
    platformUrl: address(env, 'PLATFORM_URL'),
    platformPublicKey: publicKey(env, 'PLATFORM_PUBLIC_KEY'),
    assistantId: needed(env, 'PLATFORM_ASSISTANT_ID'),
    websiteUrl: address({ WEBSITE_URL: 'https://example.com', ...given(env) }, 'WEBSITE_URL'),
    visitorHeader: onOff(env, 'VISITOR_HEADER'),
    logVisitors: onOff(env, 'LOG_VISITORS'),
    inCallStrip: onOff(env, 'IN_CALL_STRIP'),
  }
}

const given = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value))

const MEANINGS: Readonly<Record<string, string>> = {
  SUPABASE_URL: "the backend's address",
  SUPABASE_PUBLISHABLE_KEY: "the backend's publishable key",
  CALL_WEBHOOK_URL: 'where the page posts {phone, slug}',
  PLATFORM_URL: "the voice platform's address, without which Test in Browser can't work",
  PLATFORM_PUBLIC_KEY: "the voice platform's public key, without which Test in Browser can't work",
  PLATFORM_ASSISTANT_ID: "the assistant's id, without which Test in Browser can't work",
}

function needed(env: Environment, name: string): string {
  const value = env[name]
  if (value) return value
  throw new SettingError(name, `is needed by a static build: set it to ${MEANINGS[name]}`)
}

/** An absolute http(s) address, without its trailing slash. */
function address(env: Environment, name: string): string {
  const text = needed(env, name)
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw new SettingError(name, `"${text}" is not an http:// or https:// address`)
  const { username, password } = new URL(text)
  if (username || password)
    throw new SettingError(name, 'holds a user name or password, which everybody could read: leave them out')
  return text.replace(/\/+$/, '')
}

function publicKey(env: Environment, name: string): string {
  const key = needed(env, name)
  if (/\s/.test(key)) throw new SettingError(name, 'the value holds a space')
  const twin = SECRETS.find((secret) => env[secret] === key)
  const reason = twin === undefined ? secretKeyReason(key) : `is the same as ${twin}`
  if (reason === undefined) return key
  throw new SettingError(name, `the value ${reason}, and everybody can read a page: give the public key`)
}

function onOff(env: Environment, name: string): boolean {
  const value = env[name] || 'on'
  if (value === 'on' || value === 'off') return value === 'on'
  throw new SettingError(name, `"${value}" is neither on nor off`)
}
