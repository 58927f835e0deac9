import type { BackendEnd } from '../ends/backend-end.js'
import { phoneLink } from '../ends/phone-link.js'
import type { PlatformEnd } from '../ends/platform-end.js'
import type { Settings } from '../settings/settings.js'
import { isProxyUntold, PROXY_UNTOLD } from '../settings/untold-proxy.js'
import { gateLines, gateWarnings, webGateWarnings, webLine } from './gate-summary.js'

export interface BannerOptions {
  settings: Settings
  url: string
  backend: BackendEnd
  platform: PlatformEnd
  /** Warnings that came up during the start, one a line. */
  careful?: readonly string[]
  /** The link that makes the first owner; undefined where there is one. */
  setUp?: string | undefined
  /** Whether a person reads it, and not a log: those are kept, sent on and read by many. */
  onTerminal?: boolean | undefined
}

/** Who starts browser calls. */
const WEB_CALLS_LINES = {
  minted: 'calls are started by this server; prompts stay here',
  direct: 'calls are started by the page, with the public key and the prompt',
}

/** How many visitors' links are shown. */
const FIRST = 2

/** Lines for the person who started the server: where to look, and which end each wire uses. */
export async function banner({
  settings,
  url,
  backend,
  platform,
  careful = [],
  setUp,
  onTerminal = false,
}: BannerOptions): Promise<string> {
  const rows = [
    ...(await pages(settings, url, backend)).map((page, index) => [index === 0 ? 'Pages' : '', page]),
    ...phoneLines(settings, url, onTerminal).map((line) => ['Phone', line]),
    ['Console', `${url}/-/console`],
    ...(setUp ? [['Set up', `${setUp} (makes the first owner, once)`]] : []),
    ['Backend', backend.description],
    ...callsLines(settings).map((line, index) => [index === 0 ? 'Calls' : '', line]),
    ['Platform', platform.description],
    ['Browser', WEB_CALLS_LINES[settings.webCalls]],
    ['Assistant', platform.assistantId],
  ]
  const width = Math.max(...rows.map(([label = '']) => label.length))
  return [
    `Heyline is ready at ${url}`,
    '',
    ...rows.map(([label = '', text]) => `  ${label.padEnd(width)}  ${text}`),
    ...[...careful, ...warningsOf(settings)].map((warning) => `\n  ${warning}`),
    '',
  ].join('\n')
}

/** Warnings for the operator, to read before others open the page. */
export function warningsOf(settings: Settings): string[] {
  const { callDesk, visitorAccess, webCalls, calls } = settings
  const warnings: string[] = []
  if (visitorAccess === 'open')
    warnings.push(
      `Careful: VISITOR_ACCESS=open. Every page carries the public key, and whoever has it can now list all visitors: ${webCalls === 'minted' ? 'slugs and names' : 'slugs, names, prompts and opening lines'}. Unset it, and only those who know a slug see its visitor.`,
    )
  if (isProxyUntold(settings))
    warnings.push(
      `Careful: TRUST_PROXY is not set: ${PROXY_UNTOLD}. Set it to the number of proxies in front.`,
    )
  if (callDesk === 'all') warnings.push(...gateWarnings(calls))
  if (callDesk === 'browser') warnings.push(...webGateWarnings(calls))
  return warnings
}

function callsLines({ callDesk, callWebhookUrl, calls }: Settings): string[] {
  if (callDesk === 'off')
    return [`${callWebhookUrl}; our call desk, its limits, human check and live status are off`]
  if (callDesk === 'browser')
    return [
      `${callWebhookUrl} places the phone calls; our limits for them, human check and live status are off`,
      webLine(calls.webGate),
    ]
  const [gate = '', ...more] = gateLines(calls)
  return [`our own call desk; ${gate}`, ...more]
}

/** A hosted backend is not asked, because its list may be long, slow, or closed to us. */
async function pages(
  { backend: hosted }: Settings,
  url: string,
  { visitors }: BackendEnd,
): Promise<string[]> {
  if (hosted) return [`${url}/SLUG for every visitor there`]
  const first = await visitors.list({ limit: FIRST })
  return first.visitors.map(({ slug }) => `${url}/${encodeURIComponent(slug)}`)
}

/** How to open the pocket phone, where there is one. The key stays out of logs. */
export function phoneLines(
  settings: Parameters<typeof phoneLink>[0],
  url: string,
  onTerminal: boolean,
): string[] {
  const link = phoneLink(settings, url)
  if (link.kind === 'none') return []
  if (link.kind === 'closed') return ['closed: set PHONE_KEY to open it']
  const address = link.hasKey && !onTerminal ? 'heyline phone prints its link' : link.url
  return [`${address} (open it in a second tab: Call Me rings it)`]
}
