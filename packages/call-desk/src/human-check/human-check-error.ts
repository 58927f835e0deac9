/** Whether a token is good could not be found out. `code` is the verifier's own, or says how it failed to answer; the message quotes no token. */
export class HumanCheckError extends Error {
  override readonly name = 'HumanCheckError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
