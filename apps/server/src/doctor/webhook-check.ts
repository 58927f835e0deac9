import { askLeave, givesLeave } from './ask.js'
import { type Finding, fail, ok } from './finding.js'

/** Whether pages may post JSON to the webhook; only leave is asked for, so nobody is called. */
export async function checkWebhook(url: string, origin: string): Promise<Finding> {
  if (new URL(url).origin === origin)
    return ok('CALL_WEBHOOK_URL', 'is on our own origin: pages may post there')
  const said = await askLeave(url, origin, 'POST', 'content-type')
  if (!said)
    return fail('CALL_WEBHOOK_URL', `${url} can't be reached`, 'check the address, and the way there')
  return givesLeave(said, origin, 'content-type')
    ? ok('CALL_WEBHOOK_URL', `lets pages of ${origin} post`)
    : fail(
        'CALL_WEBHOOK_URL',
        `does not let pages of ${origin} post JSON (status ${said.status} for the preflight)`,
        `have it answer OPTIONS with Access-Control-Allow-Origin: ${origin} and Access-Control-Allow-Headers: content-type`,
      )
}
