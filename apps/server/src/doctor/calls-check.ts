import { createCallOffice, type DeskStatus, RecordsError } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { runningCalls } from '../calls/running-calls.js'
import { knownKey } from '../keys/key-ring.js'
import type { ServerFile } from '../running-server/server-file.js'
import type { Settings } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'
import { askLeave, givesLeave } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'

/** Whether pages may post JSON to the webhook. It sends a CORS preflight only, so nobody is called. */
export async function checkWebhook(url: string, origin: string): Promise<Finding> {
  if (new URL(url).origin === origin)
    return ok('CALL_WEBHOOK_URL', 'is on our own origin: pages may post there')
  const said = await askLeave(url, origin, 'POST', 'content-type')
  if (!said)
    return fail('CALL_WEBHOOK_URL', `${shownUrl(url)} can't be reached`, 'check the address and the network')
  return givesLeave(said, origin, 'content-type')
    ? ok('CALL_WEBHOOK_URL', `lets pages of ${origin} post`)
    : fail(
        'CALL_WEBHOOK_URL',
        `does not let pages of ${origin} post JSON (status ${said.status} for the preflight)`,
        `have it answer OPTIONS with Access-Control-Allow-Origin: ${origin} and Access-Control-Allow-Headers: content-type`,
      )
}

/** What stops all calls; nothing where they are placed, or where another call desk places them. */
export async function checkCalls({ callDesk }: Settings, db: Db): Promise<Finding[]> {
  return callDesk === 'off' ? [] : findings(await createCallOffice(db).status())
}

/** The same, of the running server. A server that does not answer is named elsewhere. */
export async function checkRunningCalls(settings: Settings, { url }: ServerFile): Promise<Finding[]> {
  const secret = knownKey(settings.dataDirectory, settings.keys, 'secret')
  if (settings.callDesk === 'off' || secret === undefined) return []
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
