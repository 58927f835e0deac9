/** How an account may call from a number: it has bought it, or has proven that the number is its owner's. */
export type NumberRight = 'bought' | 'verified'

/** Who an account is, where the server's own credentials are not what is asked with. */
export interface AccountCredentials {
  /** An auth token's account, or an API key. */
  user: string
  password: string
}

/** The account of a telephony provider, asked which numbers are its own. It changes nothing there. */
export interface NumberAccount {
  /** The provider's name of the account. */
  readonly sid: string
  /** How the account may call from this number (E.164); undefined where it may not. Rejects with a `NumberAccountError`. */
  find(number: string, credentials?: AccountCredentials): Promise<NumberRight | undefined>
}

/** `refused`: the provider does not take the credentials. `unanswered`: it said nothing, or nothing that can be understood. */
export type NumberAccountErrorCode = 'refused' | 'unanswered'

/** An account that did not say what it was asked. The message holds no number and no secret. */
export class NumberAccountError extends Error {
  override readonly name = 'NumberAccountError'
  readonly code: NumberAccountErrorCode

  constructor(code: NumberAccountErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
