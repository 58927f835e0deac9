import { resolve } from 'node:path'
import { SettingError } from '@heyline/kit/setting-error'
import { databaseName } from '../database/open-db.js'
import { listen } from '../http/listening.js'
import type { ServerFile } from '../running-server/server-file.js'
import { isPublicUrl } from '../settings/loopback.js'
import type { Settings } from '../settings/settings.js'
import { isProxyUntold, PROXY_UNTOLD } from '../settings/untold-proxy.js'
import { ask, field } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'

/** The server of this data directory, and the port. */
export async function checkServer(settings: Settings, running: ServerFile | undefined): Promise<Finding[]> {
  if (!running) return [ok('server', 'none runs on this data directory'), await checkPort(settings)]
  const where = `process ${running.pid}, ${running.url}`
  const findings = [
    running.database === databaseName(settings)
      ? ok('server', `one runs on this data directory (${where})`)
      : fail(
          'server',
          `the one that runs on ${resolve(settings.dataDirectory)} uses another database (${where})`,
          'give this command the same DATABASE_URL, or another DATA_DIR',
        ),
  ]
  const port = Number(new URL(running.url).port || 80)
  const ours = settings.port === 0 || settings.port === port
  findings.push(ours ? ok('port', `${port} is taken by our own server`) : await checkPort(settings))
  return findings
}

/** Takes the port as a start would, and lets go of it. */
async function checkPort({ port, host }: Settings): Promise<Finding> {
  try {
    const listening = await listen(port, host)
    await listening.close()
    return ok('port', port === 0 ? 'a free one is taken at each start' : `${port} is free on ${host}`)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const [message = '', mend = 'set another'] = error.message.split(/: (?=stop|set)/)
    return fail('port', message, mend)
  }
}

/** Whether it is known how many proxies stand in front, where one must. */
export const checkProxy = (settings: Settings): Finding[] =>
  isProxyUntold(settings)
    ? [warn('TRUST_PROXY', `is not set: ${PROXY_UNTOLD}`, 'set it to the number of proxies in front')]
    : []

/** What Twilio needs of the address at which it brings calls; undefined where it is fine. A stand-in takes any. */
export function carrierNeeds(publicUrl: string | undefined, twilio: Settings['twilio']): Finding | undefined {
  if (!twilio || !/\.twilio\.com$/.test(new URL(twilio.apiUrl).hostname)) return undefined
  if (isPublicUrl(publicUrl) && publicUrl.startsWith('https:')) return undefined
  return fail(
    'PUBLIC_URL',
    publicUrl
      ? `Twilio can not bring its calls to ${publicUrl}: it needs an https address that others can reach`
      : 'is not set, and Twilio needs an https address to bring its calls to',
    'set PUBLIC_URL to an https address that leads here',
  )
}

/** Whether browsers and providers find us under the address that they are given. */
export async function checkPublicUrl(
  { publicUrl, twilio }: Settings,
  running: ServerFile | undefined,
): Promise<Finding[]> {
  const unusable = carrierNeeds(publicUrl, twilio)
  if (unusable) return [unusable]
  if (!publicUrl) return []
  if (!running)
    return [
      warn(
        'PUBLIC_URL',
        `${publicUrl} was not asked, since no server runs`,
        'start the server, then ask again',
      ),
    ]
  const said = await ask(`${publicUrl}/-/health`)
  const isUs = field(said?.body, 'live') === true
  return [
    isUs
      ? ok('PUBLIC_URL', `${publicUrl} reaches us; whether calls do, heyline doctor --public says`)
      : fail(
          'PUBLIC_URL',
          `${publicUrl} does not reach us (${said ? `status ${said.status}` : 'no answer'})`,
          `make ${publicUrl} forward to ${running.url}, without changing the path`,
        ),
  ]
}
