/** Why the operator API did not do what was asked. `message` is for people. */
export class OfficeError extends Error {
  override readonly name = 'OfficeError'
  /** Of HTTP; 0 where no answer came. */
  readonly status: number
  /** As the server says it; `unreachable` where nothing was sent, `no_answer` where nobody knows what was done. */
  readonly code: string
  /** Which part of the input is to blame, where it is one. */
  readonly field: string | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    { field, ...options }: ErrorOptions & { field?: string | undefined } = {},
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.field = field
  }
}
