import { OfficeError } from '@heyline/back-office/client'
import { FAILURE_TEXTS, TEXTS } from '../texts.js'

/** Why something could not be done, for the person who asked for it: what happened, and what to do. */
export interface Failure {
  text: string
  /** The field whose value is to blame. */
  field?: string
  /** A code of Supabase Auth's or of ours; undefined where nobody answered. */
  code?: string | undefined
}

/** Which field a code blames. */
const FIELDS: Record<string, string> = {
  weak_password: 'password',
  same_password: 'password',
  wrong_password: 'currentPassword',
  invalid_email: 'email',
  email_address_invalid: 'email',
  mfa_verification_failed: 'code',
  mfa_challenge_expired: 'code',
  mfa_factor_name_conflict: 'name',
  mfa_verified_factor_exists: 'phone',
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof OfficeError) || error.status === 0) return { text: TEXTS.unreachable }
  const { code } = error
  const text = FAILURE_TEXTS[code]
  const field = FIELDS[code]
  return { text: text?.(sentence(error.message)) ?? otherwise(error), code, ...(field && { field }) }
}

/** What has no text of ours: the server's own words, unless it failed itself. */
const otherwise = ({ status, code, message }: OfficeError): string =>
  status >= 500 && code === 'internal' ? TEXTS.serverFailed : sentence(message)

const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`)
