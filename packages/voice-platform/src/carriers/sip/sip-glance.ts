/** What a datagram says of itself, before more work is spent on it. */
export interface SipGlance {
  /** Undefined for an answer, and for what is no SIP. */
  method: string | undefined
  /** Empty where it names none. */
  callId: string
}

const METHOD = /^([A-Z]{1,32}) /
const CALL_ID = /^(?:call-id|i) *:(.*)$/im

/** Finds the same as `parseMessage` in all that it can read, at a small part of the cost. */
export function glanceAt(datagram: Buffer): SipGlance {
  const end = datagram.indexOf('\r\n\r\n')
  const head = datagram
    .toString('utf8', 0, end < 0 ? datagram.length : end)
    .replace(/\r\n[ \t]+/g, ' ')
    .replaceAll('\t', ' ')
  return { method: METHOD.exec(head)?.[1], callId: CALL_ID.exec(head)?.[1]?.trim() ?? '' }
}
