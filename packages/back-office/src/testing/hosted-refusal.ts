/** What the stand-in of a project refuses. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const refuse = (status: number, code: string, message: string): never => {
  throw new Refusal(status, code, message)
}
