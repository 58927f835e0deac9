import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { Seal } from '@heyline/kit/seal'
import type { Logger } from 'pino'
import type { Caller } from '../keys/caller.js'
import { invalidToken } from '../keys/jwt.js'
import { Accounts } from './accounts/accounts.js'
import { adminRoutes } from './accounts/admin-routes.js'
import { Passwords } from './accounts/passwords.js'
import { audit } from './audit/audit.js'
import { factorRoutes } from './factors/factor-routes.js'
import type { SendText } from './factors/parts.js'
import { Attempts } from './guards/attempts.js'
import { KnownPlaces } from './guards/known-places.js'
import { Turns } from './guards/turns.js'
import { AccessTokens, TokenError } from './keys/access-tokens.js'
import { SigningKeys } from './keys/signing-keys.js'
import type { SendLinkMail } from './links/link-mail.js'
import { linkRoutes } from './links/link-routes.js'
import { MailQueue } from './links/mail-queue.js'
import { OneTimeTokens } from './links/one-time-tokens.js'
import { Recoveries } from './links/recoveries.js'
import { isOurs } from './ours.js'
import { Retention } from './retention/retention.js'
import { RefreshTokens } from './sessions/refresh-tokens.js'
import { sessionRoutes } from './sessions/session-routes.js'
import { SessionTurns } from './sessions/session-turns.js'
import { Sessions } from './sessions/sessions.js'
import { userRoutes } from './sessions/user-routes.js'
import { answerOf, errorAnswer } from './wire/answers.js'
import { AuthError } from './wire/auth-error.js'
import { readBody } from './wire/body.js'
import { forService } from './wire/for-service.js'
import { placeOf } from './wire/networks.js'
import { notServedRoutes } from './wire/not-served.js'
import type { AuthRoutes } from './wire/request.js'
import { Router } from './wire/router.js'

export interface AuthOptions {
  /** Migrated with `supabase/`. */
  db: Db
  /** Where this wire is, such as `https://example.com/-/backend/auth/v1`: the claim `iss`. */
  issuer: string
  /** 32 bytes, the same in all processes of an installation. It seals what the database must not tell. */
  key: Uint8Array
  /** Whether a request carries the secret key. */
  isService(headers: Headers): Promise<boolean>
  /** Who sent a request; undefined where nobody knows. */
  addressOf(request: Request): string | undefined
  /** Whether a page of another site has a browser send it: it is counted apart from who looks at that page. Left out: none is. */
  isForeign?(request: Request): boolean
  /** Sends a link; rejects where it was not sent, and once `signal` is aborted. Left out: no mail is sent. */
  sendMail?: SendLinkMail | undefined
  /** Sends the codes of phone factors. Left out: there are no phone factors. */
  sendText?: SendText | undefined
  /** The page that links lead to. The code follows it: `#token_hash=…&type=recovery`. */
  siteUrl: string
  clock?: Clock
  logger: Logger
}

/** The auth wire of one installation. */
export interface Auth {
  /** Never rejects. `path` is what follows `/auth/v1`. */
  fetch(request: Request, path: string): Promise<Response>
  /** Whose access token it is. Rejects with a `RestError` of status 401. */
  callerOf(token: string): Promise<Caller>
  /** A new key signs from now on. The former one verifies until its last token has ended. */
  rotateKeys(): Promise<{ kid: string }>
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
}

const LONGEST_USER_AGENT = 400

/**
 * Supabase's Auth on a `Db`, as far as operators need it: accounts that are invited, passwords, sessions, links and signing keys.
 * Nobody signs up by himself. docs/auth.md says what is served.
 */
export function createAuth(options: AuthOptions): Auth {
  const {
    db,
    issuer,
    key,
    isService,
    addressOf,
    isForeign = () => false,
    sendMail,
    sendText,
    siteUrl,
    logger,
    clock = systemClock,
  } = options
  const seal = new Seal(key)
  const keys = new SigningKeys({ db, seal, clock })
  const tokens = new AccessTokens({ keys, issuer, clock })
  const accounts = new Accounts(clock)
  const passwords = new Passwords()
  const attempts = new Attempts({ db, key, clock })
  const sessions = new Sessions({ db, tokens, refreshTokens: new RefreshTokens(key), clock })
  const oneTimeTokens = new OneTimeTokens(clock)
  const recoveries = new Recoveries({
    db,
    accounts,
    attempts,
    oneTimeTokens,
    mails: new MailQueue(logger, clock),
    sendMail,
    siteUrl,
    clock,
    logger,
  })
  const retention = new Retention({ db, clock, logger })
  retention.start()

  const turns = new Turns()
  const parts = {
    db,
    accounts,
    passwords,
    sessions,
    attempts,
    turns,
    sessionTurns: new SessionTurns({ kind: db.kind, holders: sessions, clock }),
    places: new KnownPlaces(clock),
    forService: forService(isService),
    clock,
  }
  const router = new Router({
    ...generalRoutes(keys),
    ...sessionRoutes(parts),
    ...userRoutes(parts),
    ...linkRoutes({ ...parts, oneTimeTokens, recoveries, sendMail, siteUrl }),
    ...adminRoutes(parts),
    ...factorRoutes({ ...parts, seal, key, sendText, logger }),
    ...notServedRoutes,
  })

  let knownAsOurs = false
  async function demandOurs() {
    knownAsOurs ||= await isOurs(db)
    if (!knownAsOurs)
      throw new AuthError(
        422,
        'not_served',
        "This database has a Supabase project's own auth: set SUPABASE_URL to use it",
      )
  }

  return {
    async fetch(request, path) {
      try {
        await demandOurs()
        await keys.prepare()
        const found = router.find(request.method, path)
        if (!found) throw new AuthError(404, 'not_found', 'The auth service has no such path')
        if (!('route' in found))
          throw new AuthError(405, 'validation_failed', `This path takes ${found.join(', ')}`, {
            headers: { allow: found.join(', ') },
          })
        const address = addressOf(request) ?? ''
        return answerOf(
          await found.route({
            request,
            query: new URL(request.url).searchParams,
            body: await readBody(request),
            address,
            place: placeOf(address, isForeign(request)),
            userAgent: (request.headers.get('user-agent') ?? '').slice(0, LONGEST_USER_AGENT),
            ids: found.ids,
          }),
        )
      } catch (error) {
        return errorAnswer(error, request, logger)
      }
    },

    async callerOf(token) {
      try {
        await demandOurs()
        const claims = await tokens.verify(token)
        return { role: claims.role, claims }
      } catch (cause) {
        throw refusal(cause)
      }
    },

    async rotateKeys() {
      await demandOurs()
      const made = await db.transaction(async (tx) => {
        const { kid } = await keys.rotate(tx)
        await audit(tx, { action: 'signing_key_rotated', address: '', traits: { kid } })
        return { kid }
      })
      keys.forget()
      return made
    },

    async close() {
      await retention.close()
      await recoveries.close()
    },
  }
}

/** What needs no account. */
const generalRoutes = (keys: SigningKeys): AuthRoutes => ({
  'GET /health': async () => ({
    body: {
      version: 'heyline',
      name: 'GoTrue',
      description: 'The part of Supabase Auth that Heyline serves',
    },
  }),
  'GET /settings': async () => ({
    body: {
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: true,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    },
  }),
  'GET /.well-known/jwks.json': async () => ({
    body: { keys: await keys.publicJwks() },
    headers: { 'cache-control': 'public, max-age=600' },
  }),
})

/** Why a token does not hold, in PostgREST's words. */
function refusal(cause: unknown): unknown {
  if (cause instanceof AuthError) return invalidToken('PGRST301', cause.message, cause)
  if (!(cause instanceof TokenError)) return cause
  switch (cause.code) {
    case 'expired':
      return invalidToken('PGRST303', 'JWT expired', cause)
    case 'bad_claims':
      return invalidToken('PGRST303', 'Parsing claims failed', cause)
    default:
      return invalidToken('PGRST301', 'No suitable key or wrong key type', cause)
  }
}
