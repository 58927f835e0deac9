import type { JWTPayload } from 'jose'
import { hasSecondFactor, type UserRow } from '../accounts/user.js'
import type { Known } from '../guards/known-places.js'
import { AuthError } from '../wire/auth-error.js'

/** How it was proved who it is. */
export interface Method {
  method: string
  /** Seconds since the epoch. */
  timestamp: number
}

export interface SessionRow {
  id: string
  user_id: string
  created_at: Date
  factor_id: string | null
  aal: 'aal1' | 'aal2'
  /** The newest first. */
  amr: Method[]
  refreshed_at: Date
  user_agent: string
  ip: string
  /** How well the account knew the place where it began, or gave the second factor; null for not at all. */
  known: NonNullable<Known> | null
  /** The number of the refresh token that is current. */
  refresh_counter: number
}

/** Whose request it is. */
export interface SignedIn {
  user: UserRow
  session: SessionRow
  claims: JWTPayload
}

/** Whether the second factor was given: by this token, and still so. */
export const isSecond = ({ session, claims }: SignedIn): boolean =>
  session.aal === 'aal2' && claims.aal === 'aal2'

/** Whether it has not given the second factor of a user who has one: somebody who has the password alone comes as far. */
export const lacksSecond = (signedIn: SignedIn): boolean =>
  hasSecondFactor(signedIn.user) && !isSecond(signedIn)

/** Refuses a session that lacks the second factor. `status` differs by the route. */
export function demandSecond(signedIn: SignedIn, status: number, message: string): void {
  if (lacksSecond(signedIn)) throw new AuthError(status, 'insufficient_aal', message)
}
