import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { Seal, SealError } from '@heyline/kit/seal'
import { hashOf, newSecret } from '@heyline/kit/secret'
import { decodeJwt } from 'jose'
import type { NewSession, Tokens } from '../auth-wire/auth-account.js'
import type { LinkKind } from '../auth-wire/auth-admin.js'

export interface SessionStoreOptions {
  db: Db
  /** 32 bytes, the same in all processes of an installation. It seals the tokens. */
  key: Uint8Array
  clock: Pick<Clock, 'now'>
}

/** A session of the console, as it was read. */
export interface KeptSession {
  id: string
  userId: string
  tokens: Tokens
  /** The same, as it is stored. */
  sealed: string
  /** The link that signed in asks for a new password first. */
  owesPassword: LinkKind | undefined
  /** Found by the cookie before the present one: good for reading only. */
  isFormer: boolean
}

/** What becomes of a session, and of its cookie. */
export interface SessionChange {
  tokens?: Tokens
  owesPassword?: LinkKind | undefined
  /** Requests that are under way with the cookie before may still read. */
  isGraced?: boolean
}

interface Row {
  id: string
  userId: string
  tokens: string
  owesPassword: LinkKind | null
  isFormer: boolean
}

const TABLE = 'back_office.console_sessions'
const COLUMNS = 'id, user_id as "userId", tokens, owes_password as "owesPassword"'
/** A session ends when it was not used for so long, and so long after its beginning, in ms. */
export const IDLE_MS = 12 * 3_600_000
export const LONGEST_MS = 30 * 86_400_000
/**
 * Most sessions of one operator: another one ends the one that was used longest ago. Those that wait for the second factor, of each kind of
 * place, are as many by themselves: whoever has the password alone ends no others.
 */
const MOST = 50
/** How often it is noted that a session was used, in ms. */
const NOTED_MS = 60_000
/** How long the cookie before reads, in ms. */
const FORMER_MS = 10_000
/** How long one process may take to have tokens renewed, in ms. The auth wire answers sooner. */
const RENEWAL_MS = 12_000
/** Each sign-in takes so many ended sessions with it. */
const SWEPT = 100
const SECRET = /^[\w-]{43}$/

/** The sessions of the console in the database. A cookie holds a secret, of which the hash is stored. */
export class SessionStore {
  readonly #db: Db
  readonly #seal: Seal
  readonly #clock: Pick<Clock, 'now'>

  constructor({ db, key, clock }: SessionStoreOptions) {
    this.#db = db
    this.#seal = new Seal(key)
    this.#clock = clock
  }

  /** Resolves with the secret for the cookie. */
  async begin(started: NewSession, owesPassword?: LinkKind): Promise<string> {
    const { userId, tokens, isPending, known = null } = started
    const [id, secret] = [randomUUID(), newSecret()]
    await this.#db.transaction(async (tx) => {
      await tx.query(
        `insert into ${TABLE} (id, secret_hash, user_id, tokens, owes_password, created_at, used_at, is_pending, known)
         values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
        [
          id,
          hashOf(secret),
          userId,
          this.#sealed(id, tokens),
          owesPassword ?? null,
          this.#at(0),
          isPending,
          known,
        ],
      )
      await endOldest(tx, userId, started)
      await tx.query(
        `delete from ${TABLE} where id in (
           select id from ${TABLE} where used_at <= $1 or created_at <= $2 limit $3 for update skip locked)`,
        [this.#at(-IDLE_MS), this.#at(-LONGEST_MS), SWEPT],
      )
    })
    return secret
  }

  /** The session of a cookie; undefined where it has ended. */
  async find(secret: string): Promise<KeptSession | undefined> {
    if (!SECRET.test(secret)) return undefined
    const { rows } = await this.#db.query<Row & { usedAt: Date }>(
      `select ${COLUMNS}, used_at as "usedAt", secret_hash <> $1 as "isFormer" from ${TABLE}
       where (secret_hash = $1 or (former_hash = $1 and former_until > $2)) and used_at > $3 and created_at > $4`,
      [hashOf(secret), this.#at(0), this.#at(-IDLE_MS), this.#at(-LONGEST_MS)],
    )
    const session = this.#read(rows[0])
    const usedAt = rows[0]?.usedAt.getTime() ?? 0
    if (session && this.#clock.now() - usedAt > NOTED_MS)
      await this.#db.query(`update ${TABLE} set used_at = $2 where id = $1`, [session.id, this.#at(0)])
    return session
  }

  /** The session as it stands now; undefined where it has ended. */
  async again({ id, isFormer }: KeptSession): Promise<KeptSession | undefined> {
    const { rows } = await this.#db.query<Row>(`select ${COLUMNS} from ${TABLE} where id = $1`, [id])
    return this.#read(rows[0] && { ...rows[0], isFormer })
  }

  /** Gives a session another cookie. Resolves with its secret, or with undefined where the session has ended meanwhile. */
  async change(session: KeptSession, to: SessionChange): Promise<string | undefined> {
    const { tokens, owesPassword, isGraced = false } = to
    const secret = newSecret()
    const isSecond = tokens !== undefined && decodeJwt(tokens.access).aal === 'aal2'
    const { rowCount } = await this.#db.query(
      `update ${TABLE} set former_hash = case when $5 then secret_hash end, former_until = $6,
         secret_hash = $2, tokens = coalesce($3, tokens), owes_password = $4, renewing_until = null, used_at = $7,
         is_pending = is_pending and not $8
       where id = $1`,
      [
        session.id,
        hashOf(secret),
        tokens ? this.#sealed(session.id, tokens) : null,
        owesPassword ?? null,
        isGraced,
        this.#at(FORMER_MS),
        this.#at(0),
        isSecond,
      ],
    )
    if (isSecond) await endOldest(this.#db, session.userId, { isPending: false })
    return rowCount > 0 ? secret : undefined
  }

  /** Whether this process is the one that has the tokens renewed. */
  async claimRenewal({ id, sealed }: KeptSession): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `update ${TABLE} set renewing_until = $3
       where id = $1 and tokens = $2 and (renewing_until is null or renewing_until < $4)`,
      [id, sealed, this.#at(RENEWAL_MS), this.#at(0)],
    )
    return rowCount > 0
  }

  /** Ends the claim, with the new tokens where there are some. Those that came in another way meanwhile stay. */
  async renewed({ id, sealed }: KeptSession, tokens?: Tokens): Promise<void> {
    await this.#db.query(
      `update ${TABLE} set renewing_until = null, tokens = coalesce($3, tokens) where id = $1 and tokens = $2`,
      [id, sealed, tokens ? this.#sealed(id, tokens) : null],
    )
  }

  async end({ id }: Pick<KeptSession, 'id'>): Promise<void> {
    await this.#db.query(`delete from ${TABLE} where id = $1`, [id])
  }

  /** Ends all other sessions of the operator. */
  async endOthers({ id, userId }: KeptSession): Promise<void> {
    await this.#db.query(`delete from ${TABLE} where user_id = $1 and id <> $2`, [userId, id])
  }

  #at(later: number): Date {
    return new Date(this.#clock.now() + later)
  }

  #sealed(id: string, { access, refresh }: Tokens): string {
    return this.#seal.seal(JSON.stringify([access, refresh]), `console session ${id}`)
  }

  #read(row: Row | undefined): KeptSession | undefined {
    if (!row) return undefined
    const { id, userId, tokens: sealed, owesPassword, isFormer } = row
    try {
      const [access, refresh] = JSON.parse(this.#seal.open(sealed, `console session ${id}`))
      const tokens = { access, refresh }
      return { id, userId, tokens, sealed, owesPassword: owesPassword ?? undefined, isFormer }
    } catch (error) {
      // The installation has another secret key now: whoever was signed in signs in again.
      if (error instanceof SealError) return undefined
      throw error
    }
  }
}

/** Ends the operator's sessions of one kind that were used longest ago, where there are too many. `known` matters where they are pending. */
async function endOldest(
  tx: Queryable,
  userId: string,
  { isPending, known = null }: { isPending: boolean; known?: NewSession['known'] | null },
): Promise<void> {
  await tx.query(
    `delete from ${TABLE} where id in (
       select id from ${TABLE} where user_id = $1 and is_pending = $3 and (not is_pending or known is not distinct from $4)
       order by used_at desc, created_at desc, id offset $2)`,
    [userId, MOST, isPending, known],
  )
}
