import type { BackendEnd } from './ends/backend-end.js'
import type { PlatformEnd } from './ends/platform-end.js'
import type { Settings } from './settings/settings.js'

export interface BannerOptions {
  settings: Settings
  url: string
  backend: BackendEnd
  platform: PlatformEnd
}

/** How many visitors' links are shown. */
const FIRST = 2

/** Lines for the person who started the server: where to look, and which end each wire uses. */
export async function banner({ settings, url, backend, platform }: BannerOptions): Promise<string> {
  const { callWebhookUrl } = settings
  const rows = [
    ...(await pages(settings, url, backend)).map((page, index) => [index === 0 ? 'Pages' : '', page]),
    ...(platform.builtIn?.carrier.simulated ? [['Phone', phoneText(settings, url)]] : []),
    ['Backend', backend.description],
    [
      'Calls',
      callWebhookUrl
        ? `${callWebhookUrl}; our call desk, its limits and live status are off`
        : 'our own call desk',
    ],
    ['Platform', platform.description],
    ['Assistant', platform.assistantId],
  ]
  const width = Math.max(...rows.map(([label = '']) => label.length))
  return [
    `Heyline is ready at ${url}`,
    '',
    ...rows.map(([label = '', text]) => `  ${label.padEnd(width)}  ${text}`),
    ...warningsOf(settings, platform).map((warning) => `\n  ${warning}`),
    '',
  ].join('\n')
}

/** What an operator must know before others open the page. */
export function warningsOf(
  { callWebhookUrl, visitorAccess }: Pick<Settings, 'callWebhookUrl' | 'visitorAccess'>,
  platform: PlatformEnd,
): string[] {
  const warnings: string[] = []
  if (visitorAccess === 'open')
    warnings.push(
      'Careful: VISITOR_ACCESS=open. Every page carries the public key, and whoever has it can now list all visitors: slugs, names, prompts and opening lines. Unset it to show a visitor to those only who know the slug.',
    )
  if (!callWebhookUrl && platform.builtIn?.carrier.simulated === undefined)
    warnings.push(
      'Careful: Call Me places real phone calls, and this version has no limits on them yet. Anyone with a link can have any number called.',
    )
  return warnings
}

/** A hosted backend is not asked: its list may be long, far away, or closed to us. */
async function pages(
  { backend: hosted }: Settings,
  url: string,
  { visitors }: BackendEnd,
): Promise<string[]> {
  if (hosted) return [`${url}/SLUG for every visitor there`]
  const first = await visitors.list({ limit: FIRST })
  return first.visitors.map(({ slug }) => `${url}/${encodeURIComponent(slug)}`)
}

const phoneText = ({ keys }: Settings, url: string) =>
  `${url}/-/phone${keys.phone ? '?key=PHONE_KEY' : ''} (open it in a second tab: Call Me rings it)`
