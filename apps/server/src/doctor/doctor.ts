import { databaseName } from '../database/open-db.js'
import { findRunningServer } from '../running-server/server-file.js'
import type { Settings } from '../settings/settings.js'
import { checkBackend } from './backend-check.js'
import { checkBackups } from './backups-check.js'
import { checkCountries, checkRunningCallerId } from './caller-id-check.js'
import { checkRunningCalls, checkWebhook } from './calls-check.js'
import { checkDataDirectory } from './data-directory-check.js'
import { checkDatabase } from './database-check.js'
import { checkEngines } from './engines-check.js'
import type { Finding } from './finding.js'
import { checkKeys } from './keys-check.js'
import { checkMail } from './mail-check.js'
import { checkRunningOperators, checkSecondFactor } from './operators-check.js'
import { checkPlatform } from './platform-check.js'
import { checkProxy, checkPublicUrl, checkServer } from './server-check.js'
import { checkSettings, USABLE } from './settings-check.js'
import { checkSip } from './sip-check.js'
import { checkTurnstile } from './turnstile-check.js'
import { checkTwilio } from './twilio-check.js'

/**
 * Looks at everything that a start needs. It changes no setting, row or file mode; with no server running it opens the
 * database as a start would. With `speaks` it has a sentence made by the engines, which hosted ones may charge for.
 */
export async function examine(env: NodeJS.ProcessEnv, { speaks = false } = {}): Promise<Finding[]> {
  const { findings, settings } = checkSettings(env)
  return settings ? [...findings, ...(await examineRest(settings, speaks))] : findings
}

/** The same, as the server with these settings sees itself. It does not speak. */
export const examineRunning = async (settings: Settings): Promise<Finding[]> => [
  USABLE,
  ...(await examineRest(settings)),
]

async function examineRest(settings: Settings, speaks = false): Promise<Finding[]> {
  const { backend, callWebhookUrl, platform, twilio, visitorHeader, webCalls, dataDirectory } = settings
  const directory = checkDataDirectory(dataDirectory)
  const findings = [
    ...directory,
    checkKeys(dataDirectory, settings.keys),
    ...checkProxy(settings),
    ...checkSecondFactor(settings),
    ...(await checkBackups(settings)),
  ]
  if (directory.some(({ status, check }) => status === 'fail' && check === 'data directory')) return findings

  const running = await findRunningServer(dataDirectory, databaseName(settings))
  const origin = settings.publicUrl ?? running?.url ?? `http://localhost:${settings.port}`
  findings.push(...(await checkServer(settings, running)), ...(await checkDatabase(settings, running)))
  if (running)
    findings.push(
      ...(await checkRunningCalls(settings, running)),
      ...(await checkRunningOperators(settings, running)),
      ...(await checkRunningCallerId(settings, running)),
    )
  const wires: Promise<Finding | Finding[]>[] = [checkMail(settings)]
  if (backend) wires.push(checkBackend({ backend, visitorHeader, webCalls, origin }))
  if (callWebhookUrl) wires.push(checkWebhook(callWebhookUrl, origin))
  if (platform) wires.push(checkPlatform(platform, settings))
  wires.push(checkEngines(settings, speaks))
  if (twilio) wires.push(checkTwilio(twilio))
  if (twilio && !platform) wires.push(checkCountries(settings))
  if (settings.sip) wires.push(checkSip(settings.sip))
  wires.push(checkTurnstile(settings.calls.humanCheck))
  wires.push(checkPublicUrl(settings, running))
  return [...findings, ...(await Promise.all(wires)).flat()]
}
