import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'

/** How long a link is good, in ms. */
const LIFE_MS = 24 * 3_600_000

/** Most links of one kind that an account has at a time. */
export const MOST_LINKS = 5

export type LinkType = 'invite' | 'recovery'

/** How many codes of a kind are good now, and when the last one was made. */
export interface LivingTokens {
  count: number
  last: Date | null
}

/** The codes of links: good once, for a day. Only their hashes are kept. */
export class OneTimeTokens {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A new code. The oldest one ends where there are too many. For nobody it asks the database for as much, and none is good. */
  async issue(tx: Queryable, userId: string | undefined, type: LinkType): Promise<string> {
    const code = newSecret()
    const now = this.#clock.now()
    await tx.query(
      `delete from auth.one_time_tokens where id in (
         select id from auth.one_time_tokens where user_id = $1 and token_type = $2 order by created_at desc, id offset $3
       )`,
      [userId, type, MOST_LINKS - 1],
    )
    await tx.query(
      `insert into auth.one_time_tokens (user_id, token_type, token_hash, created_at, expires_at)
       select $1, $2, $3, $4, $5 where $1::uuid is not null`,
      [userId, type, hashOf(code), new Date(now), new Date(now + LIFE_MS)],
    )
    return code
  }

  async living(tx: Queryable, userId: string | undefined, type: LinkType): Promise<LivingTokens> {
    const { rows } = await tx.query<LivingTokens>(
      `select count(*) as count, max(created_at) as last from auth.one_time_tokens
       where user_id = $1 and token_type = $2 and expires_at > $3`,
      [userId, type, new Date(this.#clock.now())],
    )
    return rows[0] ?? { count: 0, last: null }
  }

  /** Whose code it is, good or not. */
  async ownerOf(tx: Queryable, code: string): Promise<string | undefined> {
    const { rows } = await tx.query<{ userId: string }>(
      'select user_id as "userId" from auth.one_time_tokens where token_hash = $1',
      [hashOf(code)],
    )
    return rows[0]?.userId
  }

  /** A code that nobody was sent; without one it asks the database for as much. */
  async takeBack(tx: Queryable, code: string | undefined): Promise<void> {
    await tx.query('delete from auth.one_time_tokens where token_hash = $1', [code && hashOf(code)])
  }

  /** Whether the code is good. It is no more, and neither is any other of its kind. */
  async take(tx: Queryable, code: string, types: readonly LinkType[]): Promise<boolean> {
    const { rowCount } = await tx.query(
      `with good as (
         select user_id, token_type from auth.one_time_tokens
         where token_hash = $1 and expires_at > $2 and token_type in (select jsonb_array_elements_text($3))
       )
       delete from auth.one_time_tokens t using good
       where t.user_id = good.user_id and t.token_type = good.token_type`,
      [hashOf(code), new Date(this.#clock.now()), types],
    )
    return rowCount > 0
  }
}
