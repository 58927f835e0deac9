import { createOfficeClient, type OfficeClient, type OfficeError } from '@heyline/back-office/client'

/** How a command says what a running server refused. */
export interface OfficeErrors<Code extends string> {
  /** What the server says by these codes, it says for us; all else means that it can't be used. */
  passedOn: readonly Code[]
  unreachable: Code
  make(code: Code, message: string, options: ErrorOptions): Error
  /** The command that shows whether something was done. */
  look: string
}

/** The operator API of a running server, opened with the secret key. */
export function runningOffice<Code extends string>(
  serverUrl: string,
  secretKey: string,
  { passedOn, unreachable, make, look }: OfficeErrors<Code>,
): OfficeClient {
  return createOfficeClient({
    url: serverUrl,
    headers: { authorization: `Bearer ${secretKey}` },
    errorOf(error: OfficeError) {
      const message = error.code === 'no_answer' ? `${error.message}; look with ${look}` : error.message
      return make(passedOn.find((code) => code === error.code) ?? unreachable, message, { cause: error })
    },
  })
}
