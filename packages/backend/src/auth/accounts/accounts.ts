import { randomUUID } from 'node:crypto'
import { DatabaseError, type Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { AuthError } from '../wire/auth-error.js'
import { USER_COLUMNS, type UserRow } from './user.js'

/** What an account begins with. */
export interface NewAccount {
  id?: string | undefined
  email: string
  passwordHash?: string | undefined
  isConfirmed: boolean
  isInvited?: boolean
  appMetadata?: Record<string, unknown>
  userMetadata?: Record<string, unknown>
}

/** What changes; what is left out stays. */
export interface AccountChanges {
  email?: string | undefined
  passwordHash?: string | undefined
  phone?: string | null | undefined
  isConfirmed?: boolean | undefined
  isPhoneConfirmed?: boolean | undefined
  bannedUntil?: Date | null | undefined
  appMetadata?: Record<string, unknown> | undefined
  userMetadata?: Record<string, unknown> | undefined
}

const UNIQUE_VIOLATION = '23505'

/** The accounts, on whatever transaction is given. */
export class Accounts {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async byId(tx: Queryable, id: string | undefined): Promise<UserRow | undefined> {
    const { rows } = await tx.query<UserRow>(`select ${USER_COLUMNS} from auth.users u where u.id = $1`, [id])
    return rows[0]
  }

  /**
   * The account, which nobody else changes until this transaction ends. Whoever changes what belongs to an account (sessions, links) takes it
   * first, so nobody waits for somebody who waits for him. It does the same for nobody.
   */
  async taken(tx: Queryable, id: string | undefined): Promise<UserRow | undefined> {
    const { rowCount } = await tx.query('select from auth.users where id = $1 for no key update', [id])
    const user = await this.byId(tx, id)
    return rowCount === 0 ? undefined : user
  }

  /** @param email In lower case. */
  async byEmail(tx: Queryable, email: string): Promise<UserRow | undefined> {
    const { rows } = await tx.query<UserRow>(
      `select ${USER_COLUMNS} from auth.users u where lower(u.email) = $1`,
      [email],
    )
    return rows[0]
  }

  /** One page, in the order of their making, and how many there are. */
  async list(
    tx: Queryable,
    { page, perPage }: { page: number; perPage: number },
  ): Promise<{ users: UserRow[]; total: number }> {
    const { rows } = await tx.query<UserRow>(
      `select ${USER_COLUMNS} from auth.users u order by u.created_at, u.id limit $1 offset $2`,
      [perPage, (page - 1) * perPage],
    )
    const { rows: counted } = await tx.query<{ total: number }>('select count(*) as total from auth.users')
    return { users: rows, total: counted[0]?.total ?? 0 }
  }

  /** Rejects with 422 `email_exists` or `user_already_exists`. */
  async create(tx: Queryable, account: NewAccount): Promise<UserRow> {
    const { email, passwordHash, isConfirmed, isInvited = false } = account
    const id = account.id ?? randomUUID()
    const now = new Date(this.#clock.now())
    await unlessTaken(() =>
      tx.query(
        `insert into auth.users (id, email, encrypted_password, email_confirmed_at, invited_at, raw_app_meta_data,
           raw_user_meta_data, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [
          id,
          email,
          passwordHash,
          isConfirmed ? now : null,
          isInvited ? now : null,
          { provider: 'email', providers: ['email'], ...account.appMetadata },
          account.userMetadata ?? {},
          now,
        ],
      ),
    )
    await tx.query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
       values ($1::uuid::text, $1::uuid, $2, 'email', $3, $3, $3)`,
      [id, { sub: id, email, email_verified: isConfirmed, phone_verified: false }, now],
    )
    return await this.#found(tx, id)
  }

  /** Rejects with 404 `user_not_found`, 422 `email_exists` or `phone_exists`. */
  async change(tx: Queryable, id: string, changes: AccountChanges): Promise<UserRow> {
    const now = new Date(this.#clock.now())
    const { email, passwordHash, phone, isConfirmed, isPhoneConfirmed, bannedUntil } = changes
    const sets: [column: string, value: unknown][] = [
      ['email', email],
      ['encrypted_password', passwordHash],
      ['phone', phone],
      ['email_confirmed_at', isConfirmed ? now : undefined],
      ['phone_confirmed_at', isPhoneConfirmed ? now : undefined],
      ['banned_until', bannedUntil],
      ['raw_app_meta_data', changes.appMetadata],
      ['raw_user_meta_data', changes.userMetadata],
      ['updated_at', now],
    ]
    const there = sets.filter(([, value]) => value !== undefined)
    const list = there.map(([column], place) => `${column} = $${place + 2}`).join(', ')
    await unlessTaken(() =>
      tx.query(`update auth.users set ${list} where id = $1`, [id, ...there.map(([, value]) => value)]),
    )
    if (email !== undefined)
      await tx.query(
        `update auth.identities set identity_data = identity_data || $2, updated_at = $3
         where user_id = $1 and provider = 'email'`,
        [id, { email }, now],
      )
    return await this.#found(tx, id)
  }

  /** The account, and everything of it. */
  async remove(tx: Queryable, id: string): Promise<UserRow> {
    const user = await this.#found(tx, id)
    await tx.query('delete from auth.users where id = $1', [id])
    return user
  }

  async #found(tx: Queryable, id: string): Promise<UserRow> {
    const user = await this.byId(tx, id)
    if (!user) throw notFound()
    return user
  }
}

export const notFound = (): AuthError => new AuthError(404, 'user_not_found', 'User not found')

export const emailExists = (cause?: unknown): AuthError =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered', { cause })

/** What is taken already, in the words of Supabase Auth. */
async function unlessTaken(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || cause.code !== UNIQUE_VIOLATION) throw cause
    if (cause.constraint === 'users_email') throw emailExists(cause)
    const [code, message] =
      cause.constraint === 'users_phone_key'
        ? ['phone_exists', 'A user with this phone number has already been registered']
        : ['user_already_exists', 'A user with this id has already been registered']
    throw new AuthError(422, code, message, { cause })
  }
}
