/** What a command refuses or could not do; the message says what to do. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
