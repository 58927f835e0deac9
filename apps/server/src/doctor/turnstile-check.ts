import type { CallSettings } from '../settings/call-settings.js'
import { shownUrl } from '../settings/shown-url.js'
import { ask, field } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'

const URL_CHECK = 'TURNSTILE_URL'
const SECRET_CHECK = 'TURNSTILE_SECRET_KEY'
/** No widget has made it. */
const TOKEN = 'heyline-doctor'

/** The verifier of Cloudflare's Turnstile: reachable, and it takes the secret. It is asked about a token that can't be one. */
export async function checkTurnstile(humanCheck: CallSettings['humanCheck']): Promise<Finding[]> {
  if (humanCheck?.kind !== 'turnstile') return []
  const { url, secretKey } = humanCheck
  const said = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: secretKey, response: TOKEN }),
    redirect: 'manual',
  })
  if (!said)
    return [fail(URL_CHECK, `${shownUrl(url)} can't be reached`, 'check the address and the network')]
  const success = field(said.body, 'success')
  if (typeof success !== 'boolean')
    return [
      fail(
        URL_CHECK,
        `${shownUrl(url)} answers ${said.status} without a verdict`,
        'unset it, or check the address',
      ),
    ]
  if (success)
    return [
      warn(
        SECRET_CHECK,
        'takes any token: it is a key for tests',
        "copy the secret key of this page's widget",
      ),
    ]
  const codes = [field(said.body, 'error-codes')].flat().map(String)
  if (codes.some((code) => code.endsWith('-input-secret')))
    return [
      fail(
        SECRET_CHECK,
        `is refused (${codes.join(', ')})`,
        'copy the secret key that belongs to the site key',
      ),
    ]
  return codes.includes('invalid-input-response')
    ? [ok(SECRET_CHECK, 'is taken by the verifier')]
    : [warn(SECRET_CHECK, `the verifier says ${codes.join(', ') || 'nothing'}`, 'ask again later')]
}
