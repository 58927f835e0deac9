import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'

/** Most networks of one account. */
const MOST = 50
/** How long the networks of all accounts are remembered here, in ms, and how many. */
const ALL_FOR_MS = 60_000
const MOST_OF_ALL = 1_000

/** Networks that an account was signed in to from, as hashes: its owner is there, whoever else guesses. */
export class KnownNetworks {
  readonly #clock: Clock
  #all: { at: number; networks: Promise<ReadonlySet<string>> } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Asks for an account that is not there, too: it takes as long. */
  async has(tx: Queryable, userId: string | undefined, network: string): Promise<boolean> {
    const { rowCount } = await tx.query(
      'select from auth.known_networks where user_id = $1 and network = $2',
      [userId, network],
    )
    return rowCount > 0
  }

  /** Whether somebody was signed in from there to any account, as of a minute ago at most: a flood costs one statement a minute. */
  async hasAny(db: Queryable, network: string): Promise<boolean> {
    const now = this.#clock.now()
    if (!this.#all || now - this.#all.at >= ALL_FOR_MS) {
      const asked = { at: now, networks: all(db) }
      this.#all = asked
      asked.networks.catch(() => {
        if (this.#all === asked) this.#all = undefined
      })
    }
    return (await this.#all.networks).has(network)
  }

  async add(tx: Queryable, userId: string, network: string): Promise<void> {
    await tx.query(
      `insert into auth.known_networks (user_id, network, seen_at) values ($1, $2, $3)
       on conflict (user_id, network) do update set seen_at = excluded.seen_at`,
      [userId, network, new Date(this.#clock.now())],
    )
    await tx.query(
      `delete from auth.known_networks where user_id = $1 and network in (
         select network from auth.known_networks where user_id = $1 order by seen_at desc, network offset $2
       )`,
      [userId, MOST],
    )
  }
}

async function all(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ network: string }>(
    `select network from auth.known_networks order by seen_at desc limit ${MOST_OF_ALL}`,
  )
  return new Set(rows.map(({ network }) => network))
}
