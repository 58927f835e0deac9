import { createCallOffice, type DeskStatus, RecordsError } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { runningCalls } from '../calls/running-calls.js'
import type { ServerFile } from '../server-file.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, warn } from './finding.js'
import { storedKey } from './stored-key.js'

/** What stops all calls; nothing where they are placed, or where another call desk places them. */
export async function checkCalls({ callWebhookUrl }: Settings, db: Db): Promise<Finding[]> {
  return callWebhookUrl ? [] : findings(await createCallOffice(db).status())
}

/** The same, of the running server. A server that does not answer is named elsewhere. */
export async function checkRunningCalls(settings: Settings, { url }: ServerFile): Promise<Finding[]> {
  const secret = settings.keys.secret ?? storedKey(settings.dataDirectory, 'secret')
  if (settings.callWebhookUrl || secret === undefined) return []
  try {
    return findings(await runningCalls(url, secret).status())
  } catch (error) {
    if (error instanceof RecordsError) return []
    throw error
  }
}

function findings({ pausedAt, breaker }: DeskStatus): Finding[] {
  return [
    ...(pausedAt
      ? [warn('calls', `are paused since ${pausedAt}: none is placed`, 'heyline calls resume')]
      : []),
    ...(breaker
      ? [
          warn(
            'calls',
            `the circuit breaker is open since ${breaker.at} (${breaker.reason}): none is placed`,
            'look at heyline calls status and list, then heyline calls resume',
          ),
        ]
      : []),
  ]
}
