import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { z } from 'zod'
import type { Accounts } from '../accounts/accounts.js'
import type { Passwords } from '../accounts/passwords.js'
import { hasSecondFactor, isBanned } from '../accounts/user.js'
import { auditRefusal, auditRepeated } from '../audit/audit.js'
import type { Attempts } from '../guards/attempts.js'
import type { HashedPlace, KnownPlaces } from '../guards/known-places.js'
import { Passes } from '../guards/passes.js'
import { Turns } from '../guards/turns.js'
import { AuthError } from '../wire/auth-error.js'
import { emailShape, givenPasswordShape, idOf, readFields } from '../wire/fields.js'
import type { AuthRequest, AuthRoutes } from '../wire/request.js'
import { demandSecond, lacksSecond, type SignedIn } from './session.js'
import type { SessionTurns } from './session-turns.js'
import { SCOPES, type Scope, type Sessions } from './sessions.js'

export interface SessionParts {
  db: Db
  accounts: Accounts
  passwords: Passwords
  sessions: Sessions
  attempts: Attempts
  /** Of strangers. */
  turns: Turns
  sessionTurns: SessionTurns
  places: KnownPlaces
  clock: Clock
}

const passwordShape = z.object({ email: emailShape, password: givenPasswordShape })
const refreshShape = z.object({
  refresh_token: z
    .string('refresh_token required')
    .min(12, 'Refresh token is not valid')
    .max(200, 'Refresh token is not valid'),
})

/** Who wants to sign in. */
type Given = z.infer<typeof passwordShape> &
  Pick<AuthRequest, 'address' | 'place' | 'userAgent'> & {
    /** The place as it is kept. */
    hashed: HashedPlace
  }

/** Which sessions of whom are to end. */
interface Ending extends Pick<AuthRequest, 'address'> {
  user: SignedIn['user']
  scope: Scope
  /** What `scope` goes by. */
  current: string
  /** As the audit has them. */
  traits: Record<string, unknown>
}

/** `/token`, `/logout`, and our own `/sessions`: who comes, who goes, and who is there. */
export function sessionRoutes(parts: SessionParts): AuthRoutes {
  const { db, accounts, passwords, sessions, attempts, turns, sessionTurns, places, clock } = parts

  const passes = new Passes(parts)

  /** Strangers keep nobody waiting who was signed in before. */
  const acquaintances = new Turns()

  /** Known and unknown accounts cost the same and hear the same: nobody shall learn who has one. */
  async function signIn({ body, address, place, userAgent }: AuthRequest): Promise<Record<string, unknown>> {
    if (body.email === undefined && body.phone !== undefined)
      throw new AuthError(
        422,
        'phone_provider_disabled',
        'Nobody signs in by phone here: use an email address',
      )
    const { email, password } = readFields(passwordShape, body)
    // Where somebody was signed in before, it may be this one, whom the counts of the network and of the account do not hold for.
    const hashed = attempts.hashed(place)
    const known = await places.ofAny(db, hashed)
    const refuseWaiting = () => attempts.demandNoWait({ what: 'password', account: email, place, known })
    refuseWaiting()
    return await (known ? acquaintances : turns).run(place, () => {
      refuseWaiting()
      return begun({ email, password, address, place, hashed, userAgent })
    })
  }

  async function begun(given: Given): Promise<Record<string, unknown>> {
    const { email, password, address, place, hashed, userAgent } = given
    const user = await accounts.byEmail(db, email)
    const known = await places.ofAccount(db, user?.id, hashed)
    const attempt = await attempts.begin({ what: 'password', account: email, place, known })
    const isRight = await passwords
      .matches(password, user?.encrypted_password)
      .catch(async (error: unknown) => {
        await attempts.takeBack(attempt)
        throw error
      })
    if (!user || !isRight) {
      await auditRefusal(db, { id: user?.id, email, address })
      throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
    }
    if (isBanned(user, clock.now())) throw new AuthError(400, 'user_banned', 'User is banned')
    if (!user.email_confirmed_at) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')
    return await db.transaction(async (tx) => {
      // The password was checked before: it may have been changed meanwhile, which ended all sessions but this one.
      const kept = await accounts.taken(tx, user.id)
      if (kept?.encrypted_password !== user.encrypted_password || isBanned(kept, clock.now()))
        throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
      // The password alone makes no place known to who has a second factor: that does.
      const isLacking = hasSecondFactor(kept)
      if (!isLacking) await places.add(tx, user.id, hashed)
      // Nor does it come in without end: beyond some it counts as a wrong one.
      if (!isLacking || (await passes.count(tx, { userId: user.id, place, known })))
        await attempts.succeeded(tx, attempt)
      const session = await sessions.begin(tx, user.id, {
        method: 'password',
        address,
        userAgent,
        known: isLacking ? known : 'address',
        lacksSecond: isLacking,
      })
      await auditRepeated(tx, { action: 'login', actor: user, address, traits: { provider: 'email' } })
      return await sessions.tokenResponse(tx, user.id, session.id)
    })
  }

  /** Writes nothing down where no session ended: that can be asked for without end. */
  const end = ({ user, address, scope, current, traits }: Ending) =>
    db.transaction(async (tx) => {
      await accounts.taken(tx, user.id)
      if ((await sessions.end(tx, user.id, scope, current)) === 0) return
      await auditRepeated(tx, { action: 'logout', actor: user, address, traits })
    })

  const grants: Record<string, (asked: AuthRequest) => Promise<Record<string, unknown>>> = {
    password: signIn,
    refresh_token: async ({ body, address, place }) => {
      const { refresh_token: token } = readFields(refreshShape, body)
      return await sessionTurns.refresh(token, place, () => sessions.refresh(token, address))
    },
  }

  return {
    'POST /token': async (asked) => {
      const type = asked.query.get('grant_type') ?? ''
      const grant = Object.hasOwn(grants, type) ? grants[type] : undefined
      if (!grant)
        throw AuthError.invalid('unsupported_grant_type: this server takes password and refresh_token')
      return { body: await grant(asked) }
    },

    ...sessionTurns.routes({
      'POST /logout': async ({ request, query, address }) => {
        const signedIn = await sessions.authenticate(request)
        const { user, session } = signedIn
        const asked = query.get('scope') ?? 'global'
        const named = SCOPES.find((name) => name === asked)
        if (!named) throw AuthError.invalid(`Unsupported logout scope "${asked}"`)
        // Whoever has the password alone ends nobody else's session.
        const scope = lacksSecond(signedIn) ? 'local' : named
        await end({ user, address, scope, current: session.id, traits: { scope } })
        return {}
      },

      'GET /sessions': async ({ request }) => {
        const signedIn = await sessions.authenticate(request)
        const { user, session: current } = signedIn
        const list = await sessions.list(user.id)
        const shown = lacksSecond(signedIn) ? list.filter(({ id }) => id === current.id) : list
        return {
          body: shown.map(({ id, created_at, refreshed_at, user_agent, ip, aal }) => ({
            id,
            created_at,
            refreshed_at,
            user_agent,
            ip,
            aal,
            current: id === current.id,
          })),
        }
      },

      'DELETE /sessions/{id}': async ({ request, ids, address }) => {
        const signedIn = await sessions.authenticate(request)
        const { user, session } = signedIn
        const id = idOf(ids, 0, 'session_id')
        if (id !== session.id) demandSecond(signedIn, 403, 'AAL2 session is required to end another session.')
        await end({ user, address, scope: 'local', current: id, traits: { scope: 'local', session_id: id } })
        return {}
      },
    }),
  }
}
