import { createHmac, randomUUID } from 'node:crypto'
import { inboundUrl, twilioSignature } from '@heyline/voice-platform'
import { ask, field, type Said } from '../doctor/ask.js'
import { type Finding, fail, ok } from '../doctor/finding.js'
import { knownKey } from '../keys/key-ring.js'
import type { Settings, TwilioSettings } from '../settings/settings.js'
import { openSocket, socketFinding } from './socket-check.js'

/** Whether a hosted platform's messages reach us: one that it could have signed, and that says nothing. */
export async function checkHook(settings: Settings, publicUrl: string): Promise<Finding[]> {
  const { platform, callWebhookUrl, dataDirectory, keys } = settings
  const secret = knownKey(dataDirectory, keys, 'hookSecret')
  if (!platform || callWebhookUrl || secret === undefined) return []
  const [id, time, body] = [randomUUID(), String(Math.floor(Date.now() / 1000)), '{}']
  const signature = createHmac('sha256', standardKey(secret)).update(`${id}.${time}.${body}`).digest('base64')
  const said = await ask(`${publicUrl}/-/hooks/platform`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    },
  })
  if (said?.status === 400 && field(said.body, 'code') === 'invalid_json')
    return [ok('platform hook', 'messages of the platform reach the call desk')]
  if (said?.status === 401)
    return [
      fail(
        'platform hook',
        'the server refuses the signature of PLATFORM_HOOK_SECRET (401)',
        'start it with the same PLATFORM_HOOK_SECRET, and set its clock',
      ),
    ]
  return [unreached('platform hook', 'messages of the platform', `${publicUrl}/-/hooks/platform`, said)]
}

/** Whether Twilio's questions and its audio reach us: signed with the account's token, and about no call. */
export async function checkCarrier({ twilio, platform }: Settings, publicUrl: string): Promise<Finding[]> {
  if (!twilio || platform) return []
  return [await checkTwilioCallbacks(twilio, publicUrl), await checkTwilioAudio(twilio, publicUrl)]
}

async function checkTwilioCallbacks({ authToken }: TwilioSettings, publicUrl: string): Promise<Finding> {
  const CHECK = 'Twilio callbacks'
  const url = inboundUrl(publicUrl)
  const said = await ask(url, {
    method: 'POST',
    body: '',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature(authToken, url, []),
    },
  })
  // Signed as Twilio signs, and without a call.
  if (said?.status === 400) return ok(CHECK, 'reach the server, and their signature is believed')
  if (said?.status === 403)
    return fail(CHECK, 'the server refuses their signature (403): every phone call ends at once', SIGNED)
  return unreached(CHECK, "Twilio's questions about calls", url, said)
}

async function checkTwilioAudio({ authToken }: TwilioSettings, publicUrl: string): Promise<Finding> {
  const CHECK = 'Twilio audio'
  const url = `${publicUrl.replace(/^http/, 'ws')}/-/carriers/twilio/media`
  const headers = { 'x-twilio-signature': twilioSignature(authToken, url, []) }
  const opened = await openSocket({ url, headers, leaves: true })
  return opened.as === 'socket' && opened.closedWith === 1008
    ? fail(CHECK, 'the server refuses the signature of its streams (1008): phone calls have no sound', SIGNED)
    : socketFinding(opened, url, { check: CHECK, without: 'phone calls have no sound' })
}

const SIGNED =
  'start it with the same PUBLIC_URL and TWILIO_AUTH_TOKEN; the proxy must leave the header X-Twilio-Signature and the query as they are'

const unreached = (check: string, what: string, url: string, said: Said | undefined): Finding =>
  fail(
    check,
    `${what} do not reach ${url} (${said ? `status ${said.status}` : 'no answer'})`,
    'let the proxy pass POST requests to it on, without a sign-in and without changing the path',
  )

function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret)
}
