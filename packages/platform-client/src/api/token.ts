import type { ListQuery } from './page.js'

/** What a token may do. All but `enabled` count for public tokens only. */
export interface TokenRestrictions {
  /** Default true. */
  enabled?: boolean
  /** Values of the `Origin` header that are let in. Default: any. */
  allowedOrigins?: string[]
  /** Assistants that calls may be created with. Default: any. */
  allowedAssistantIds?: string[]
  /** Whether calls may bring an assistant inline. Default true; false as soon as `allowedAssistantIds` is given. The built-in platform's default is false. */
  allowTransientAssistant?: boolean
}

/** Body of `tokens.create`. */
export interface CreateToken {
  /** `public`: for browsers, creates web calls only. `private`: for servers, everything. */
  tag?: 'private' | 'public'
  /** At most 40 characters. */
  name?: string
  restrictions?: TokenRestrictions
}

/** Body of `tokens.update`. */
export type UpdateToken = CreateToken

/** A stored token. */
export interface Token extends CreateToken {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  /** The token itself: a secret, unless its tag is `public`. */
  value: string
}

/** Query of `tokens.list`. */
export type ListTokens = ListQuery
