import type { DialRequest } from '../carrier.js'
import { callbackUrl } from './twilio-callback.js'

export interface CallFormOptions extends Pick<DialRequest, 'callId' | 'to' | 'from'> {
  /** 1 to 600. */
  ringSeconds: number
  /** What becomes of a call that an answering machine answers; undefined: nobody listens for one. */
  machines: DialRequest['machines'] | undefined
  /** Without a slash at the end. */
  publicUrl: string
}

/** What Twilio is told to place a call (https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource). */
export function callForm(options: CallFormOptions): URLSearchParams {
  const { callId, to, from, ringSeconds, machines, publicUrl } = options
  const form = new URLSearchParams({
    To: to,
    From: from,
    Url: callbackUrl(publicUrl, 'voice', callId),
    Method: 'POST',
    StatusCallback: callbackUrl(publicUrl, 'status', callId),
    StatusCallbackMethod: 'POST',
    Timeout: String(ringSeconds),
  })
  for (const event of ['initiated', 'ringing', 'answered', 'completed'])
    form.append('StatusCallbackEvent', event)
  if (machines === undefined) return form
  // `Enable` tells of a machine while its greeting plays, so that nothing can be left. `DetectMessageEnd` tells when the greeting is over.
  form.set('MachineDetection', machines === 'end' ? 'Enable' : 'DetectMessageEnd')
  form.set('AsyncAmd', 'true')
  form.set('AsyncAmdStatusCallback', callbackUrl(publicUrl, 'amd', callId))
  form.set('AsyncAmdStatusCallbackMethod', 'POST')
  return form
}
