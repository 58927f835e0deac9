import { createHash } from 'node:crypto'

/** What a token must have been made for. */
export interface CheckContext {
  /** The visitor's page. */
  slug: string
  /** The client's address, where it is known. */
  address: string | undefined
}

/** Finds out, without a question to anybody, whether a browser with a person before it asks. */
export interface HumanCheck {
  /** Answers GET `/-/human-check?slug=…` with what the browser has to work on; undefined where somebody else does. */
  challenge?(request: Request, address: string | undefined): Promise<Response>
  /** Whether a text can be a token at all. Costs nothing: it is asked before anything else is done about a request. */
  isToken(text: string): boolean
  /**
   * The id of a good token, by which it is counted as used, once; undefined for every other. Rejects when it could not be
   * verified, and with a `NoTurnError` where too many others wait for that: then nothing is called.
   */
  verify(token: string, context: CheckContext): Promise<string | undefined>
  /** Whether those whose tokens are verified wait in a line that the check has itself, because it asks somebody who takes long. */
  hasOwnLine?: boolean
}

/** Whether a token is good could not be found out. `code` is the verifier's own, or says how it failed to answer; the message quotes no token. */
export class HumanCheckError extends Error {
  override readonly name = 'HumanCheckError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** By what a check is counted as used: a digest of that of it which can be written in one way only. */
export function checkId(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
