import type { Queryable } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'
import type { Token } from '@heyline/platform-client'
import { type ListWindow, windowSql } from '../resources/list-window.js'
import { RememberedRights, type TokenRights } from './token-rights.js'
import type { TokenBody } from './token-schema.js'

interface TokenRow extends TokenRights {
  id: string
  org_id: string
  name: string | null
  value_end: string
  created_at: Date
  updated_at: Date
}

const COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, tag, name, restrictions, value_end,
  created_at, updated_at`

/**
 * The tokens that were made over the REST API. Only a hash of each is stored. The answer that makes a token has its value; later
 * answers show dots and the last four characters.
 */
export class TokenStore {
  readonly #db: Queryable
  readonly #remembered: RememberedRights

  constructor(db: Queryable, clock: Clock = systemClock) {
    this.#db = db
    this.#remembered = new RememberedRights(clock)
  }

  /** Private where the body has no tag, as on the hosted platform. */
  async create({ tag = 'private', name, restrictions }: TokenBody): Promise<Token> {
    const value = newSecret()
    const row = await this.#one(
      `insert into voice_platform.tokens (tag, name, restrictions, value_hash, value_end)
       values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
      [tag, name, restrictions, hashOf(value), value.slice(-4)],
    )
    if (!row) throw new Error('The database returned no row for an inserted token.')
    return { ...view(row), value }
  }

  async get(id: string): Promise<Token | undefined> {
    return viewOf(await this.#one(`select ${COLUMNS} from voice_platform.tokens where id = $1`, [id]))
  }

  /** Newest first. */
  async list(window: ListWindow): Promise<Token[]> {
    const { sql, parameters } = windowSql(window)
    const { rows } = await this.#db.query<TokenRow>(
      `select ${COLUMNS} from voice_platform.tokens ${sql}`,
      parameters,
    )
    return rows.map(view)
  }

  /** Changes the given fields. Restrictions are replaced as a whole. */
  async update(id: string, { tag, name, restrictions }: TokenBody): Promise<Token | undefined> {
    const row = await this.#one(
      `update voice_platform.tokens set tag = coalesce($2, tag), name = coalesce($3, name),
         restrictions = coalesce($4::jsonb, restrictions), updated_at = now() where id = $1 returning ${COLUMNS}`,
      [id, tag, name, restrictions],
    )
    this.#remembered.forget()
    return viewOf(row)
  }

  async delete(id: string): Promise<Token | undefined> {
    const row = await this.#one(`delete from voice_platform.tokens where id = $1 returning ${COLUMNS}`, [id])
    this.#remembered.forget()
    return viewOf(row)
  }

  /** What the token with this value may do, or undefined where there is none. */
  async rightsOf(value: string): Promise<TokenRights | undefined> {
    const hash = hashOf(value)
    const remember = this.#remembered.asOfNow()
    const { rows } = await this.#db.query<TokenRights>(
      'select tag, restrictions from voice_platform.tokens where value_hash = $1',
      [hash],
    )
    if (rows[0]) remember(hash, rows[0])
    return rows[0]
  }

  /** The same as it was five seconds ago at most, without the database; undefined where the token was not looked up since. */
  rememberedRightsOf(value: string): TokenRights | undefined {
    return this.#remembered.of(hashOf(value))
  }

  async #one(sql: string, parameters: unknown[]): Promise<TokenRow | undefined> {
    const { rows } = await this.#db.query<TokenRow>(sql, parameters)
    return rows[0]
  }
}

const viewOf = (row: TokenRow | undefined): Token | undefined => row && view(row)

function view(row: TokenRow): Token {
  return {
    id: row.id,
    orgId: row.org_id,
    tag: row.tag,
    ...(row.name !== null && { name: row.name }),
    ...(row.restrictions !== null && { restrictions: row.restrictions }),
    value: `••••${row.value_end}`,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
