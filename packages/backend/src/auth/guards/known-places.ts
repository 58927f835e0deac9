import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'

/** Most networks of one account, and most addresses. */
const MOST = 50
/** How long the places of all accounts are remembered here, in ms, and how many networks and addresses. */
const ALL_FOR_MS = 60_000
const MOST_OF_ALL = 1_000

/** Where somebody comes from, as hashes. */
export interface HashedPlace {
  address: string
  network: string
  /** A page of another site asks. */
  isForeign: boolean
}

type Kind = 'address' | 'network'

/** How well a place is known: this very address, or its network only; undefined for neither. */
export type Known = 'address' | 'network' | undefined

type All = Record<Kind, ReadonlySet<string>>

const TABLES = { address: 'auth.known_addresses', network: 'auth.known_networks' } as const

/** Networks and addresses that an account was signed in to from, as hashes: its owner is there, whoever else guesses. */
export class KnownPlaces {
  readonly #clock: Clock
  #all: { at: number; places: Promise<All> } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Asks for an account that is not there, too: it takes as long. */
  async ofAccount(
    tx: Queryable,
    userId: string | undefined,
    { address, network }: HashedPlace,
  ): Promise<Known> {
    const { rows } = await tx.query<Record<Kind, boolean>>(
      `select exists (select from auth.known_addresses where user_id = $1 and address = $2) as address,
         exists (select from auth.known_networks where user_id = $1 and network = $3) as network`,
      [userId, address, network],
    )
    return knownBy((kind) => rows[0]?.[kind] ?? false)
  }

  /** Whether somebody was signed in from there to any account, as of a minute ago at most: a flood costs two statements a minute. */
  async ofAny(db: Queryable, place: HashedPlace): Promise<Known> {
    const now = this.#clock.monotonic()
    if (!this.#all || now - this.#all.at >= ALL_FOR_MS) {
      const asked = { at: now, places: all(db) }
      this.#all = asked
      asked.places.catch(() => {
        if (this.#all === asked) this.#all = undefined
      })
    }
    const places = await this.#all.places
    return knownBy((kind) => places[kind].has(place[kind]))
  }

  /** From now on the account knows the place. None knows that of a foreign page: who is signed in there is not who guesses from there. */
  async add(tx: Queryable, userId: string, place: HashedPlace): Promise<void> {
    if (place.isForeign) return
    for (const kind of ['address', 'network'] as const) {
      const table = TABLES[kind]
      await tx.query(
        `insert into ${table} (user_id, ${kind}, seen_at) values ($1, $2, $3)
         on conflict (user_id, ${kind}) do update set seen_at = excluded.seen_at`,
        [userId, place[kind], new Date(this.#clock.now())],
      )
      await tx.query(
        `delete from ${table} where user_id = $1 and ${kind} in (
           select ${kind} from ${table} where user_id = $1 order by seen_at desc, ${kind} offset $2
         )`,
        [userId, MOST],
      )
    }
  }
}

function knownBy(is: (kind: Kind) => boolean): Known {
  if (is('address')) return 'address'
  return is('network') ? 'network' : undefined
}

async function all(db: Queryable): Promise<All> {
  const of = async (kind: Kind) => {
    const { rows } = await db.query<{ place: string }>(
      `select ${kind} as place from ${TABLES[kind]} order by seen_at desc limit ${MOST_OF_ALL}`,
    )
    return new Set(rows.map(({ place }) => place))
  }
  return { address: await of('address'), network: await of('network') }
}
