import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'
import { notAnOperator, OperatorsError } from '../operators/operators-error.js'
import { type Role, reaches } from '../operators/role.js'
import { API_KEY_PREFIX, type ApiKeyLine } from './api-key-line.js'

export interface ApiKeysOptions {
  db: Db
  clock: Pick<Clock, 'now'>
}

/** Whose key it is, and what it may do. */
export interface KeyHolder {
  userId: string
  email: string
  /** That of the key, as far as the operator's own goes now. */
  role: Role
  keyId: string
  keyName: string
}

interface Row {
  id: string
  name: string
  role: Role
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

const TABLE = 'back_office.api_keys'
const COLUMNS =
  'id, name, role, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"'
/** Most keys of one operator. */
const MOST = 20
const DAY_MS = 86_400_000
/** How often it is noted that a key was used, in ms. */
const NOTED_MS = 60_000
const KEY = new RegExp(`^${API_KEY_PREFIX}[\\w-]{43}$`)

/** Keys for operators' own tools. Each belongs to an operator and ends with them; of a key only the hash is stored. */
export class ApiKeys {
  readonly #db: Db
  readonly #clock: Pick<Clock, 'now'>

  constructor({ db, clock }: ApiKeysOptions) {
    this.#db = db
    this.#clock = clock
  }

  /** Rejects with an `OperatorsError`: `unauthorized`. */
  async enter(key: string): Promise<KeyHolder> {
    const { rows } = KEY.test(key)
      ? await this.#db.query<Row & { userId: string; email: string; own: Role }>(
          `select k.name, k.role, k.last_used_at as "lastUsedAt", k.id, o.user_id as "userId", o.email, o.role as own
           from ${TABLE} k join back_office.operators o using (user_id)
           where k.key_hash = $1 and k.expires_at > $2`,
          [hashOf(key), this.#now()],
        )
      : { rows: [] }
    const [row] = rows
    if (!row)
      throw new OperatorsError(
        'unauthorized',
        'This API key is not good, or no longer: make one in the console',
      )
    if (this.#clock.now() - (row.lastUsedAt?.getTime() ?? 0) > NOTED_MS)
      await this.#db.query(`update ${TABLE} set last_used_at = $2 where id = $1`, [row.id, this.#now()])
    const role = reaches(row.own, row.role) ? row.role : row.own
    return { userId: row.userId, email: row.email, role, keyId: row.id, keyName: row.name }
  }

  /** An operator's own keys, the newest first. */
  async list(userId: string): Promise<ApiKeyLine[]> {
    const { rows } = await this.#db.query<Row>(
      `select ${COLUMNS} from ${TABLE} where user_id = $1 order by created_at desc, id`,
      [userId],
    )
    return rows.map(lineOf)
  }

  /**
   * Makes a key. `key` is shown now, and never again. Rejects with an `OperatorsError`: `invalid_role` for more than the operator may do,
   * `too_many_keys`, `not_an_operator` for one who was removed meanwhile.
   */
  async add(
    owner: { userId: string; role: Role },
    { name, role, days }: { name: string; role: Role; days: number },
  ): Promise<ApiKeyLine & { key: string }> {
    if (!reaches(owner.role, role))
      throw new OperatorsError('invalid_role', `A key may not do more than you: your role is ${owner.role}`)
    const key = `${API_KEY_PREFIX}${newSecret()}`
    const expiresAt = new Date(this.#clock.now() + days * DAY_MS)
    const row = await this.#db.transaction(async (tx) => {
      // One at a time for each operator.
      const { rowCount: stands } = await tx.query(
        'select from back_office.operators where user_id = $1 for update',
        [owner.userId],
      )
      if (stands === 0) throw notAnOperator()
      await tx.query(`delete from ${TABLE} where user_id = $1 and expires_at <= $2`, [
        owner.userId,
        this.#now(),
      ])
      const kept = await tx.query(`select from ${TABLE} where user_id = $1`, [owner.userId])
      if (kept.rowCount >= MOST)
        throw new OperatorsError('too_many_keys', `You have ${MOST} keys: revoke one first`)
      const { rows } = await tx.query<Row>(
        `insert into ${TABLE} (id, key_hash, user_id, name, role, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
        [randomUUID(), hashOf(key), owner.userId, name, role, this.#now(), expiresAt],
      )
      return rows[0]
    })
    if (!row) throw new Error('A statement that returns one row returned none')
    return { ...lineOf(row), key }
  }

  /** Rejects with `key_not_found` for a key that is not the operator's. */
  async revoke(userId: string, id: string): Promise<ApiKeyLine> {
    const { rows } = await this.#db.query<Row>(
      `delete from ${TABLE} where user_id = $1 and id = $2 returning ${COLUMNS}`,
      [userId, id],
    )
    if (!rows[0]) throw new OperatorsError('key_not_found', 'You have no such key: it may be revoked already')
    return lineOf(rows[0])
  }

  #now(): Date {
    return new Date(this.#clock.now())
  }
}

const lineOf = ({ id, name, role, createdAt, expiresAt, lastUsedAt }: Row): ApiKeyLine => ({
  id,
  name,
  role,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
