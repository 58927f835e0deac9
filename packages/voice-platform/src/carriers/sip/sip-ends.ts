import type { LegEnd } from '../carrier.js'

/** What a refusal of an INVITE says of the phone (RFC 3261 21). Others say that the proxy or the trunk failed. */
const ENDS: Readonly<Record<number, LegEnd>> = {
  404: 'misdialed',
  408: 'no-answer',
  410: 'misdialed',
  480: 'no-answer',
  484: 'misdialed',
  485: 'misdialed',
  486: 'busy',
  487: 'no-answer',
  600: 'busy',
  603: 'busy',
  604: 'misdialed',
}

export const endOf = (status: number): LegEnd => ENDS[status] ?? 'failed'

/** Whether a refusal is about the trunk or our account there, not about the call: RFC 3261 21.4.2, 21.4.8 and 21.5. */
export const isOfLines = (status: number): boolean =>
  status === 401 || status === 407 || (status >= 500 && status < 600)

/** What to do about an answer that is no answer of the phone. */
const ADVICE: Readonly<Record<number, string>> = {
  401: 'SIP_USER and SIP_PASSWORD are missing or wrong',
  403: 'it does not let this user call that number',
  407: 'SIP_USER and SIP_PASSWORD are missing or wrong',
  488: 'it does not speak PCMU, or wants encryption',
  503: 'it is out of service or overloaded',
}

/** A sentence for the operator. Nothing that the other side wrote stands in it. */
export function refusalText(status: number): string {
  const advice =
    ADVICE[status] ?? (status < 400 ? 'it sends the call elsewhere, and calls are not sent on' : undefined)
  return `The SIP server refused the call with ${status}${advice ? `: ${advice}` : ''}.`
}
