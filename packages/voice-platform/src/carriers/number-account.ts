/** How an account may call from a number: it has bought it, or has proven that the number is its owner's. */
export type NumberRight = 'bought' | 'verified'

/** Who an account is, where the server's own credentials are not what is asked with. */
export interface AccountCredentials {
  /** An auth token's account, or an API key. */
  user: string
  password: string
}

/**
 * Where an account sends calls to one of its numbers. `where` is for people, and holds nothing secret; `isFormer`: it is the address of such a
 * server as this one, perhaps of this one under another address.
 */
export type InboundRoute = { to: 'here' | 'nowhere' } | { to: 'elsewhere'; where: string; isFormer: boolean }

/** The account of a telephony provider, asked which numbers are its own. All that it changes there is where calls to a number go. */
export interface NumberAccount {
  /** The provider's name of the account. */
  readonly sid: string
  /** How the account may call from this number (E.164); undefined where it may not. Rejects with a `NumberAccountError`. */
  find(number: string, credentials?: AccountCredentials): Promise<NumberRight | undefined>
  /** Where calls to this number (E.164) go; undefined for one that the account has not bought. Rejects with a `NumberAccountError`. */
  inbound(number: string): Promise<InboundRoute | undefined>
  /**
   * Has calls to this number (E.164) come to this server; false where they do already. Rejects with a `NumberAccountError`: `taken` where they go
   * elsewhere and `overwrite` is not set, `not_bought`, `no_address`.
   */
  receive(number: string, options: { overwrite: boolean }): Promise<boolean>
}

/**
 * `refused`: the provider does not take the credentials. `unanswered`: it said nothing, or nothing that can be understood. The others are of
 * `receive`; `no_address`: nobody knows where this server is reached.
 */
export type NumberAccountErrorCode = 'refused' | 'unanswered' | 'taken' | 'not_bought' | 'no_address'

/** An account that did not say what it was asked. The message holds no number and no secret. */
export class NumberAccountError extends Error {
  override readonly name = 'NumberAccountError'
  readonly code: NumberAccountErrorCode

  constructor(code: NumberAccountErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
