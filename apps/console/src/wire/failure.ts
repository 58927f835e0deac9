import { isAuthError, isAuthRetryableFetchError, isAuthSessionMissingError } from '@supabase/auth-js'
import { FAILURE_TEXTS, TEXTS } from '../texts.js'
import { OwnWireError } from './own-wire-error.js'

/** Why something could not be done, for the person who asked for it: what happened, and what to do. */
export interface Failure {
  text: string
  /** The field whose value is to blame. */
  field?: string
  /** A code of Supabase Auth's or of ours; undefined where nobody answered, and for what has no code. */
  code?: string | undefined
}

/** Which field a code blames. */
const FIELDS: Record<string, string> = {
  weak_password: 'password',
  same_password: 'password',
  invalid_email: 'email',
  email_address_invalid: 'email',
  mfa_verification_failed: 'code',
  mfa_challenge_expired: 'code',
  mfa_factor_name_conflict: 'name',
  mfa_verified_factor_exists: 'phone',
}

const ENDED = new Set([
  'session_not_found',
  'user_not_found',
  'bad_jwt',
  'no_authorization',
  'unauthorized',
  'refresh_token_not_found',
])

/** Whether nobody is signed in any more. */
export const isEnded = (error: unknown): boolean =>
  isAuthSessionMissingError(error) || ENDED.has(codeOf(error) ?? '')

export function failureOf(error: unknown): Failure {
  if (isEnded(error)) return { text: TEXTS.ended, code: codeOf(error) }
  if (isAuthRetryableFetchError(error) || !isRefusal(error)) return { text: TEXTS.unreachable }
  const code = codeOf(error)
  const text = code === undefined ? undefined : FAILURE_TEXTS[code]
  const field = code === undefined ? undefined : FIELDS[code]
  return { text: text?.(sentence(error.message)) ?? otherwise(error), code, ...(field && { field }) }
}

type Refusal = Error & { code?: string | undefined; status?: number | undefined }

const isRefusal = (error: unknown): error is Refusal => isAuthError(error) || error instanceof OwnWireError

const codeOf = (error: unknown): string | undefined => (isRefusal(error) ? error.code : undefined)

/** What has no text of ours: the server's own words, unless it failed itself. */
const otherwise = ({ status, message }: Refusal): string =>
  (status ?? 500) >= 500 ? TEXTS.serverFailed : sentence(message)

const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`)
