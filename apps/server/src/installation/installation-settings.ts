import type { InstallationParts } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import type { BackendEnd } from '../ends/backend-end.js'
import type { PlatformEnd } from '../ends/platform-end.js'
import type { Settings } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'
import { VERSION } from '../version.js'

type Shown = Awaited<ReturnType<InstallationParts['settings']>>

export interface InstallationOptions {
  settings: Settings
  publicUrl: string
  db: Pick<Db, 'kind'>
  backend: Pick<BackendEnd, 'description'>
  platform: Pick<PlatformEnd, 'description' | 'assistantId' | 'phoneNumberId'>
}

/** What an operator may know of the settings: which end each wire uses, and how the server behaves. No key and no password. */
export function installationSettings({ settings, publicUrl, db, ...ends }: InstallationOptions): Shown {
  return {
    version: VERSION,
    node: process.versions.node,
    publicUrl,
    database: db.kind === 'pglite' ? 'PGlite, in the data directory' : 'Postgres',
    wires: wiresOf(settings, ends),
    modes: modesOf(settings),
  }
}

const CALL_DESKS = {
  all: 'our own, for phone and browser calls',
  browser: 'our own, for browser calls',
  off: 'off',
}

function wiresOf(
  { backend: hosted, callDesk, callWebhookUrl, mail, platform: hostedPlatform }: Settings,
  { backend, platform }: Pick<InstallationOptions, 'backend' | 'platform'>,
): Shown['wires'] {
  const rows: [wire: string, end: string | undefined][] = [
    ['Visitors and accounts', hosted ? shownUrl(hosted.url) : backend.description],
    ['Call desk', CALL_DESKS[callDesk]],
    ['Call Me goes to', callWebhookUrl && shownUrl(callWebhookUrl)],
    ['Voice platform', hostedPlatform ? shownUrl(hostedPlatform.url) : platform.description],
    ['Assistant', platform.assistantId],
    ['Caller id', platform.phoneNumberId ?? (hostedPlatform ? undefined : 'the default of heyline numbers')],
    ['Mail', mail ? `${new URL(mail.url).host}, from ${mail.from}` : 'none: links are shown, not sent'],
  ]
  return rows.flatMap(([wire, end]) => (end === undefined ? [] : [{ wire, end }]))
}

const onOff = (is: boolean) => (is ? 'on' : 'off')

function modesOf(settings: Settings): Shown['modes'] {
  const { calls, trustProxy } = settings
  const rows: [setting: string, value: string, meaning: string][] = [
    ['WEB_CALLS', settings.webCalls, 'Who begins browser calls: this server (minted), or the page (direct)'],
    ['CALL_GATE', calls.gate.mode, 'Which guards stand before phone calls'],
    ['LIVE_STATUS', onOff(calls.liveStatus), 'The page follows its phone call'],
    ['HUMAN_CHECK', calls.humanCheck?.kind ?? 'off', 'How a page shows that a person asks for a call'],
    ['VISITOR_ACCESS', settings.visitorAccess, 'Which visitors the public key sees'],
    ['VISITOR_HEADER', onOff(settings.visitorHeader), 'Lookups of visitors name the slug'],
    ['LOG_VISITORS', onOff(settings.logVisitors), 'The browser console of a page says who its visitor is'],
    ['IN_CALL_STRIP', onOff(settings.inCallStrip), 'A page shows what is said in a browser call'],
    ['OPENS', onOff(settings.opens), 'Pages tell when a person has opened them'],
    ['BROWSER_TRANSCRIBER', onOff(settings.browserTranscriber), "Words from the caller's browser"],
    ['CONVERSATIONS_MOST', String(settings.conversationsMost), 'Most calls of the built-in platform at once'],
    [
      'TOOLS_ALLOW_PRIVATE',
      onOff(settings.toolsAllowPrivate),
      'Tools of assistants may ask private networks',
    ],
    [
      'PLATFORM_OPERATORS',
      onOff(settings.platformOperators),
      'Operators are members of the platform’s organisation',
    ],
    ['OPERATORS_MFA', settings.needsSecondFactor ? 'required' : 'optional', 'A second factor for operators'],
    [
      'EVENTS_ALLOW_PRIVATE',
      onOff(settings.events.allowPrivate),
      'Messages about events may go to private networks',
    ],
    ['TRUST_PROXY', trustProxy === undefined ? 'not set' : String(trustProxy), 'Proxies in front'],
  ]
  return rows.map(([setting, value, meaning]) => ({ setting, value, meaning }))
}
