import type { TwilioSettings } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'
import { ask, field } from './ask.js'
import { type Finding, fail, ok } from './finding.js'

/** The account, read only. */
export async function checkTwilio({ accountSid, authToken, apiUrl }: TwilioSettings): Promise<Finding> {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const said = await ask(`${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`, {
    headers: { authorization },
  })
  if (!said)
    return fail('TWILIO_API_URL', `${shownUrl(apiUrl)} can't be reached`, 'check the address and the network')
  if (said.status === 401 || said.status === 403 || said.status === 404)
    return fail(
      'TWILIO_AUTH_TOKEN',
      `is refused for the account (${said.status})`,
      'copy Account SID and Auth Token from the console',
    )
  if (said.status >= 300)
    return fail('TWILIO_API_URL', `answers ${said.status}`, 'ask again later, and check the address')
  const state = field(said.body, 'status')
  return state === 'active'
    ? ok('CARRIER', 'Twilio takes the account')
    : fail(
        'CARRIER',
        `the Twilio account is ${String(state)}`,
        'see the console: only an active account places calls',
      )
}
