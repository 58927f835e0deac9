import { isLoopback } from '@heyline/kit/loopback'
import { SettingError } from '@heyline/kit/setting-error'
import type { HumanCheckSetting, Settings } from '../document/settings.js'
import { addressRefusal, NO_PUBLIC_KEY, publicKeyRefusal } from '../secrets/index.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a static page is told, from the server's own names. An empty value counts as none. The page has no server behind
 * it that could stand in, so all three ends must be named. Throws a `SettingError` for the first value that can't be used.
 */
export function readStaticSettings(env: Environment): Settings {
  const minted = isMinted(env)
  return {
    backendUrl: baseAddress(env, 'SUPABASE_URL'),
    backendKey: publicKey(env, 'SUPABASE_PUBLISHABLE_KEY'),
    callWebhookUrl: address(env, 'CALL_WEBHOOK_URL'),
    platformUrl: baseAddress(env, 'PLATFORM_URL'),
    platformPublicKey: minted ? NO_PUBLIC_KEY : publicKey(env, 'PLATFORM_PUBLIC_KEY'),
    assistantId: needed(env, 'PLATFORM_ASSISTANT_ID'),
    websiteUrl: address({ WEBSITE_URL: 'https://example.com', ...given(env) }, 'WEBSITE_URL'),
    ...(env.PRIVACY_URL && { privacyUrl: address(env, 'PRIVACY_URL') }),
    visitorHeader: onOff(env, 'VISITOR_HEADER'),
    logVisitors: onOff(env, 'LOG_VISITORS'),
    inCallStrip: onOff(env, 'IN_CALL_STRIP'),
    ...(minted && { webCallFunction: webCallFunction(env) }),
    ...(!minted && isOwnEnd(env, 'PLATFORM_URL', '/-/platform') && { ownPlatform: true }),
    ...ownWebhook(env),
    ...opensOf(env),
  }
}

/** As the server's own rule: `minted` where a Heyline of ours that strangers reach holds the visitors, as long as nothing is said. */
function isMinted(env: Environment): boolean {
  const value = env.WEB_CALLS
  if (value === 'minted' || value === 'direct') return value === 'minted'
  if (value) throw new SettingError('WEB_CALLS', `"${value}" is neither minted nor direct`)
  const { hostname } = new URL(address(env, 'SUPABASE_URL'))
  return isOwnEnd(env, 'SUPABASE_URL', '/-/backend') && !isLoopback(hostname)
}

const isOwnEnd = (env: Environment, name: string, path: string): boolean =>
  new URL(address(env, name)).pathname.replace(/\/+$/, '') === path

/** Beside the webhook where that is a function of ours, else among the functions of the backend. */
function webCallFunction(env: Environment): string {
  const { href } = new URL(address(env, 'CALL_WEBHOOK_URL'))
  const functions =
    /^(.*\/functions\/v1\/)call-me$/.exec(href)?.[1] ?? `${baseAddress(env, 'SUPABASE_URL')}/functions/v1/`
  return `${functions}web-call`
}

/** At the Heyline behind the page, where its backend or its webhook is one. Another's knows nothing of opens. */
function opensOf(env: Environment): Pick<Settings, 'opens'> {
  if (!onOff(env, 'OPENS')) return {}
  const own = [
    ['SUPABASE_URL', '/-/backend'],
    ['CALL_WEBHOOK_URL', '/-/backend/functions/v1/call-me'],
  ].find(([name = '', path = '']) => isOwnEnd(env, name, path))
  return own?.[0] === undefined ? {} : { opens: new URL('/-/opens', address(env, own[0])).href }
}

/** What a webhook of ours asks and tells beyond the specified wire; where it is not named, nothing: another's knows neither. */
function ownWebhook(env: Environment): Pick<Settings, 'humanCheck' | 'liveStatus'> {
  const at = (path: string) => new URL(path, address(env, 'CALL_WEBHOOK_URL')).href
  const humanCheck = humanCheckOf(env, at('/-/human-check'))
  return {
    ...(humanCheck && { humanCheck }),
    ...(onOff(env, 'LIVE_STATUS', 'off') && { liveStatus: at('/-/calls') }),
  }
}

function humanCheckOf(env: Environment, url: string): HumanCheckSetting | undefined {
  const value = env.HUMAN_CHECK || 'off'
  if (value === 'off') return undefined
  if (value === 'altcha') return { kind: 'altcha', url }
  if (value === 'turnstile') return { kind: 'turnstile', siteKey: publicKey(env, 'TURNSTILE_SITE_KEY') }
  throw new SettingError('HUMAN_CHECK', `"${value}" is neither altcha nor turnstile nor off`)
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
  TURNSTILE_SITE_KEY: "the site key that goes with the server's secret of Turnstile",
}

function needed(env: Environment, name: string): string {
  const value = env[name]
  if (value) return value
  throw new SettingError(name, `is needed by a static build: set it to ${MEANINGS[name]}`)
}

/** An absolute http(s) address, as it is given: what a webhook's host takes with a slash it may not take without. */
function address(env: Environment, name: string): string {
  const text = needed(env, name)
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw new SettingError(name, `"${text}" is not an http:// or https:// address`)
  const refusal = addressRefusal(text)
  if (refusal !== undefined) throw new SettingError(name, refusal)
  return text
}

/** An address to which paths are added: without its trailing slash. */
const baseAddress = (env: Environment, name: string) => address(env, name).replace(/\/+$/, '')

function publicKey(env: Environment, name: string): string {
  const key = needed(env, name)
  if (/\s/.test(key)) throw new SettingError(name, 'the value holds a space')
  const refusal = publicKeyRefusal(key, env)
  if (refusal === undefined) return key
  throw new SettingError(name, refusal)
}

function onOff(env: Environment, name: string, without: 'on' | 'off' = 'on'): boolean {
  const value = env[name] || without
  if (value === 'on' || value === 'off') return value === 'on'
  throw new SettingError(name, `"${value}" is neither on nor off`)
}
