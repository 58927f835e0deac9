/** A refusal of our own routes. `message` is for people. */
export class OwnWireError extends Error {
  override readonly name = 'OwnWireError'
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}
