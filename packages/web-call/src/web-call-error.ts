export type WebCallErrorCode = 'nothing-to-call' | 'no-call' | 'no-room-address'

const TEXTS: Record<WebCallErrorCode, string> = {
  'nothing-to-call': 'Assistant or Squad or Workflow must be provided.',
  'no-call': 'Call object is not available.',
  'no-room-address': 'The call names no room to join (webCallUrl). Start again.',
}

/** A misuse of the client, or an answer of the platform that leads nowhere. The first two texts are of spec 5. */
export class WebCallError extends Error {
  override readonly name = 'WebCallError'
  readonly code: WebCallErrorCode

  constructor(code: WebCallErrorCode) {
    super(TEXTS[code])
    this.code = code
  }
}
