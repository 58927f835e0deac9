import type { Db, Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { hasSecondFactor, isBanned, USER_COLUMNS, type UserRow, userJson } from '../accounts/user.js'
import { auditRepeated } from '../audit/audit.js'
import type { Known } from '../guards/known-places.js'
import { type AccessClaims, type AccessTokens, TokenError } from '../keys/access-tokens.js'
import { AuthError } from '../wire/auth-error.js'
import { fateOf, isLately, type Refreshed } from './refresh-fate.js'
import type { RefreshTokens } from './refresh-tokens.js'
import type { SessionRow, SignedIn } from './session.js'

/** A session ends when it was not refreshed for so long, in ms. */
export const IDLE_LIMIT_MS = 30 * 86_400_000
/** Most sessions of one account: another one ends the one that was used longest ago. Those that lack a second factor are not among them. */
const MOST_SESSIONS = 50
/** Most that lack it, of each kind of place. */
const MOST_LACKING = 10

const SESSION_COLUMNS = `
  s.id, s.user_id, s.created_at, s.factor_id, s.aal, s.amr, s.refreshed_at, s.user_agent, s.ip,
  s.known, s.refresh_counter`

const SESSION_AND_USER = `
  select to_jsonb(s) as session, ${USER_COLUMNS}
  from auth.users u left join auth.sessions s on s.user_id = u.id and s.id = $2
  where u.id = $1`

/** How many such uses are remembered. */
const MOST_USES = 20

/** How a session begins. */
export interface Beginning {
  /** How it was proved who it is: `password`, `otp`, … */
  method: string
  address: string
  userAgent: string
  /** How well the account knows the place; whoever came by a link is as good as known. */
  known: Known
  /** The account has a second factor, which is to follow. */
  lacksSecond: boolean
}

/** Which sessions a sign-out ends. */
export const SCOPES = ['global', 'local', 'others'] as const
export type Scope = (typeof SCOPES)[number]

export interface SessionsOptions {
  db: Db
  tokens: AccessTokens
  refreshTokens: RefreshTokens
  clock: Clock
}

/** Who is signed in, and with which tokens. */
export class Sessions {
  readonly #db: Db
  readonly #tokens: AccessTokens
  readonly #refreshTokens: RefreshTokens
  readonly #clock: Clock
  /** Of the requests that are under way. */
  readonly #claims = new WeakMap<Request, AccessClaims>()

  constructor({ db, tokens, refreshTokens, clock }: SessionsOptions) {
    this.#db = db
    this.#tokens = tokens
    this.#refreshTokens = refreshTokens
    this.#clock = clock
  }

  /**
   * Whose request it is, by its bearer token: signature, user, ban, and whether the session is still there.
   * Rejects with an `AuthError`: 401 `no_authorization`; 403 `bad_jwt`, `user_not_found`, `user_banned`, `session_not_found`.
   */
  async authenticate(request: Request): Promise<SignedIn> {
    const claims = await this.claimsOf(request)
    const { rows } = await this.#db.query<UserRow & { session: Stored | null }>(
      SESSION_AND_USER,
      [claims.sub, claims.session_id],
      { prepared: true },
    )
    const [row] = rows
    if (!row) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
    const { session: stored, ...user } = row
    const now = this.#clock.now()
    if (isBanned(user, now)) throw new AuthError(403, 'user_banned', 'User is banned')
    const session = stored && sessionOf(stored)
    if (!session || isIdle(session, now))
      throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
    return { user, session, claims }
  }

  /**
   * The claims of its bearer token, which is one of ours and holds. A request's token is checked once. Rejects with an `AuthError`: 401
   * `no_authorization`, 403 `bad_jwt`.
   */
  async claimsOf(request: Request): Promise<AccessClaims> {
    const checked = this.#claims.get(request)
    if (checked) return checked
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (!token) throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
    try {
      const claims = await this.#tokens.verify(token)
      this.#claims.set(request, claims)
      return claims
    } catch (cause) {
      if (!(cause instanceof TokenError)) throw cause
      throw new AuthError(
        403,
        'bad_jwt',
        `invalid JWT: unable to parse or verify signature, ${cause.message}`,
        { cause },
      )
    }
  }

  /**
   * Begins a session at aal1. One that lacks the second factor ends only such, and only those of the same kind of place: whoever has the
   * password alone ends none that gave it, and none of an owner who is about to give it at a known place.
   */
  async begin(tx: Queryable, userId: string, beginning: Beginning): Promise<SessionRow> {
    const { method, address, userAgent, known = null, lacksSecond } = beginning
    const now = this.#clock.now()
    const at = new Date(now)
    await tx.query(
      `delete from auth.sessions where id in (
         select id from auth.sessions
         where user_id = $1 and (not $3 or (aal = 'aal1' and known is not distinct from $4))
         order by refreshed_at desc, id offset $2
       )`,
      [userId, (lacksSecond ? MOST_LACKING : MOST_SESSIONS) - 1, lacksSecond, known],
    )
    await tx.query('update auth.users set last_sign_in_at = $2 where id = $1', [userId, at])
    const { rows } = await tx.query<SessionRow>(
      `insert into auth.sessions as s (user_id, amr, created_at, updated_at, refreshed_at, ip, user_agent, known)
       values ($1, $2, $3, $3, $3, $4, $5, $6) returning ${SESSION_COLUMNS}`,
      [userId, [{ method, timestamp: Math.floor(now / 1000) }], at, address, userAgent, known],
    )
    return only(rows)
  }

  /**
   * Takes a session to aal2, and ends its former refresh tokens: what aal1 was given must not bring aal2. Where there are too many at aal2, it
   * ends the one that was used longest ago.
   */
  async raise(
    tx: Queryable,
    sessionId: string,
    { factorId, method }: { factorId: string; method: string },
  ): Promise<SessionRow> {
    const now = this.#clock.now()
    const { rows } = await tx.query<SessionRow>(
      `update auth.sessions s set aal = 'aal2', factor_id = $2, updated_at = $4, known = 'address',
         amr = $3::jsonb || coalesce(
           (select jsonb_agg(m) from jsonb_array_elements(s.amr) m where m -> 'method' <> $3::jsonb -> 0 -> 'method'),
           '[]'
         ),
         refresh_counter = s.refresh_counter + 1, refresh_floor = s.refresh_counter + 1, refresh_uses = '{}'
       where s.id = $1 returning ${SESSION_COLUMNS}`,
      [sessionId, factorId, [{ method, timestamp: Math.floor(now / 1000) }], new Date(now)],
    )
    const session = only(rows)
    await tx.query(
      `delete from auth.sessions where id in (
         select id from auth.sessions where user_id = $1 and aal = 'aal2' and id <> $2
         order by refreshed_at desc, id offset $3
       )`,
      [session.user_id, sessionId, MOST_SESSIONS - 1],
    )
    return session
  }

  /**
   * A new access token for a refresh token, and the next refresh token. One that was used before ends its session, unless that was a moment ago.
   * Rejects with an `AuthError` of 400: `refresh_token_not_found`, `refresh_token_already_used`, `user_banned`.
   */
  async refresh(token: string, address: string): Promise<Record<string, unknown>> {
    const asked = this.#refreshTokens.read(token)
    if (!asked) throw unknownToken()
    const answer = await this.#db.transaction(async (tx) => {
      const { rows } = await tx.query<Refreshed>(
        `select s.user_id, s.refresh_counter, s.refresh_floor, s.refresh_uses, s.refreshed_at, s.updated_at,
           u.email, u.banned_until
         from auth.sessions s join auth.users u on u.id = s.user_id where s.id = $1 for update of s`,
        [asked.sessionId],
        { prepared: true },
      )
      const [row] = rows
      const now = this.#clock.now()
      // A number that was not given yet is that of a database that was taken back to an older state.
      if (!row || isIdle(row, now) || asked.counter > row.refresh_counter) return unknownToken()
      if (isBanned(row, now)) return new AuthError(400, 'user_banned', 'User is banned')
      const fate = fateOf(asked.counter, row, now)
      if (fate === 'theft') {
        await tx.query('delete from auth.sessions where id = $1', [asked.sessionId])
        const actor = { id: row.user_id, email: row.email }
        const traits = { session_id: asked.sessionId }
        await auditRepeated(tx, { action: 'token_revoked', actor, address, traits })
      }
      if (fate === 'theft' || fate === 'late')
        return new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')
      if (fate === 'current') {
        const uses = Object.entries(row.refresh_uses).filter(([, at]) => isLately(at, now))
        await tx.query(
          `update auth.sessions set refresh_counter = refresh_counter + 1, refresh_uses = $2, refreshed_at = $3, ip = $4
           where id = $1`,
          [
            asked.sessionId,
            Object.fromEntries([...uses.slice(1 - MOST_USES), [asked.counter, now]]),
            new Date(now),
            address,
          ],
          { prepared: true },
        )
      }
      return await this.tokenResponse(tx, row.user_id, asked.sessionId)
    })
    // A session that ended has to stay so.
    if (answer instanceof AuthError) throw answer
    return answer
  }

  /** The id of the session that a refresh token of ours is for. Throws an `AuthError`: 400 `refresh_token_not_found`. */
  refreshes(token: string): string {
    const asked = this.#refreshTokens.read(token)
    if (!asked) throw unknownToken()
    return asked.sessionId
  }

  /** Ends sessions of an account; `others` and `local` go by `current`. Resolves with how many there were. */
  async end(tx: Queryable, userId: string, scope: Scope, current: string): Promise<number> {
    const { rowCount } = await tx.query(
      `delete from auth.sessions
       where user_id = $1 and case $2 when 'local' then id = $3 when 'others' then id <> $3 else true end`,
      [userId, scope, current],
    )
    return rowCount
  }

  /** The living sessions of an account, the one that was used last first. */
  async list(userId: string): Promise<SessionRow[]> {
    const { rows } = await this.#db.query<SessionRow>(
      `select ${SESSION_COLUMNS} from auth.sessions s where s.user_id = $1 and s.refreshed_at > $2
       order by s.refreshed_at desc, s.id`,
      [userId, new Date(this.#clock.now() - IDLE_LIMIT_MS)],
    )
    return rows
  }

  /** New access token and refresh token of the session, and the user with its factors. */
  async tokenResponse(tx: Queryable, userId: string, sessionId: string): Promise<Record<string, unknown>> {
    const { rows } = await tx.query<UserRow & { session: Stored | null }>(
      SESSION_AND_USER,
      [userId, sessionId],
      {
        prepared: true,
      },
    )
    const { session: stored, ...user } = only(rows)
    if (!stored) throw new AuthError(403, 'session_not_found', 'The session has ended')
    const session = sessionOf(stored)
    const { token, expiresIn, expiresAt } = this.#tokens.issue({
      sub: user.id,
      role: user.role,
      email: user.email ?? '',
      phone: user.phone ?? '',
      app_metadata: user.raw_app_meta_data,
      user_metadata: user.raw_user_meta_data,
      aal: session.aal,
      amr: session.amr,
      session_id: session.id,
      is_anonymous: user.is_anonymous,
    })
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: expiresIn,
      expires_at: expiresAt,
      refresh_token: this.#refreshTokens.write({ sessionId, counter: session.refresh_counter }),
      user: userJson(user),
      // Ours, for the console: whoever still lacks the second factor is at a known place.
      ...(session.known && session.aal === 'aal1' && hasSecondFactor(user) && { known_place: session.known }),
    }
  }
}

/** A session as JSON has it. */
type Stored = Omit<SessionRow, 'created_at' | 'refreshed_at'> & { created_at: string; refreshed_at: string }

const sessionOf = (stored: Stored): SessionRow => ({
  ...stored,
  created_at: new Date(stored.created_at),
  refreshed_at: new Date(stored.refreshed_at),
})

const unknownToken = (): AuthError =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')

/** Whether a session has ended because nobody refreshed it. */
const isIdle = ({ refreshed_at }: Pick<SessionRow, 'refreshed_at'>, now: number): boolean =>
  refreshed_at.getTime() + IDLE_LIMIT_MS < now

function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error('A statement that returns one row returned none')
  return row
}
