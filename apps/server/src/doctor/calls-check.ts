import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCallOffice, type DeskStatus, RecordsError } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { runningCalls } from '../calls/running-calls.js'
import type { ServerFile } from '../server-file.js'
import type { Settings } from '../settings/settings.js'
import { field } from './ask.js'
import { type Finding, warn } from './finding.js'

/** What stops all calls; nothing where they are placed, or where another call desk places them. */
export async function checkCalls({ callWebhookUrl }: Settings, db: Db): Promise<Finding[]> {
  return callWebhookUrl ? [] : findings(await createCallOffice(db).status())
}

/** The same, of the running server. A server that does not answer is named elsewhere. */
export async function checkRunningCalls(settings: Settings, { url }: ServerFile): Promise<Finding[]> {
  const secret = secretKey(settings)
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

/** Read only: a start would make what is missing. */
function secretKey({ keys, dataDirectory }: Settings): string | undefined {
  if (keys.secret) return keys.secret
  try {
    const secret = field(JSON.parse(readFileSync(join(dataDirectory, 'keys.json'), 'utf8')), 'secret')
    return typeof secret === 'string' ? secret : undefined
  } catch {
    return undefined
  }
}
