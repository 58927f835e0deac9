import { AuthError } from './auth-error.js'
import type { AuthRequest, AuthRoutes } from './request.js'

const OTHERWISE = 'Sign in with email address and password.'
const PROVIDER = `Nobody signs in with another provider here. ${OTHERWISE}`
const CODES = `Neither codes nor magic links are sent here. ${OTHERWISE}`

/** What Supabase Auth has and this wire has not: code and sentence. 422 is what a project answers where something is turned off. */
const NOT_SERVED: Record<string, [code: string, message: string]> = {
  'POST /otp': ['otp_disabled', CODES],
  'POST /magiclink': ['otp_disabled', CODES],
  'POST /resend': ['otp_disabled', CODES],
  'GET /reauthenticate': ['otp_disabled', CODES],
  'GET /verify': [
    'otp_disabled',
    'Links lead to a page here, which verifies them: POST /verify with the token_hash',
  ],
  'GET /authorize': ['provider_disabled', PROVIDER],
  'GET /callback': ['provider_disabled', PROVIDER],
  'POST /callback': ['provider_disabled', PROVIDER],
  'GET /user/identities/authorize': ['provider_disabled', PROVIDER],
  'DELETE /user/identities/{id}': [
    'provider_disabled',
    'An account has one identity here, its email address',
  ],
  'POST /sso': ['saml_provider_disabled', PROVIDER],
  'GET /admin/audit': [
    'feature_disabled',
    'The audit is not read over this wire: it is auth.audit_log_entries',
  ],
}

/** Each is refused with 422 and one sentence. */
export const notServedRoutes: AuthRoutes = {
  ...Object.fromEntries(
    Object.entries(NOT_SERVED).map(([name, [code, message]]) => [
      name,
      async () => {
        throw new AuthError(422, code, message)
      },
    ]),
  ),
  'POST /signup': async ({ body }: AuthRequest) => {
    if (!body.email && !body.phone)
      throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
  },
}
