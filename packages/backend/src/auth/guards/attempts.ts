import { createHmac } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import { derivedKey } from '@heyline/kit/secret'
import { AuthError } from '../wire/auth-error.js'
import type { Place } from '../wire/networks.js'
import { type Keys, type Kind, type Look, lock, store, take } from './attempt-rows.js'
import type { HashedPlace, Known } from './known-places.js'
import { type Count, counted, LOOK_EVERY_MS, RULES } from './rules.js'

/** An attempt that was counted as a failure, until it succeeds. */
export interface Attempt {
  readonly keys: Keys
  /** Those of `Look`, where it was one. */
  readonly looks: readonly string[]
  /** Until when it made each key wait, in ms since the epoch; 0 where there is nothing to wait for. */
  readonly blocked: ReadonlyMap<string, number>
}

export interface Attempted {
  /** What is tried, such as `password`: each is counted by itself. */
  what: string
  /** Whose account, as the request names it; left out where it names none. */
  account?: string | undefined
  place: Place
  /**
   * How well the account knows the place. From a known network only the counts of the pair and of the address hold, and from a known address
   * its own pair in place of the network's.
   */
  known?: Known
}

interface Counting {
  keys: Keys
  counts: ReadonlyMap<string, Count>
  /** In ms since the epoch. */
  now: number
  look?: Look
  /** The counts of `look`. */
  looks?: ReadonlyMap<string, Count>
}

/** How long a wait is remembered here, in ms: another process may have ended it. */
const REMEMBERED_MS = 1_000
/** Most waits that are remembered here. */
const MOST_REMEMBERED = 10_000

/** Slows down who guesses: counts in the database, so for all processes. Keys are keyed hashes: nobody reads addresses from them. */
export class Attempts {
  readonly #db: Db
  readonly #key: Uint8Array
  readonly #clock: Clock
  /** Until when a key was seen to wait, and until when that is remembered, by the monotonic clock. */
  readonly #waits = new RecentMap<string, { until: number; remembered: number }>(MOST_REMEMBERED)

  /** @param options.key The installation's 32 bytes. */
  constructor({ db, key, clock }: { db: Db; key: Uint8Array; clock: Clock }) {
    this.#db = db
    this.#key = derivedKey(key, 'attempts')
    this.#clock = clock
  }

  /** A place as it is kept. */
  hashed({ address, network, isForeign }: Place): HashedPlace {
    return { address: this.#hash('address', address), network: this.#hash('network', network), isForeign }
  }

  /** Keys of one who is signed in, which others count under: of the address, and of its network. */
  keysOf(what: string, of: string, { address, network }: Place): Record<'address' | 'network', string> {
    return {
      address: this.#hash(what, 'own', of, address),
      network: this.#hash(what, 'pair', of, network),
    }
  }

  /** The key of one who is signed in, wherever from, which others count under. */
  keyOf(what: string, of: string): string {
    return this.#hash(what, of)
  }

  /**
   * Counts an attempt as a failure before it is looked at, so that many at the same time are as many. `succeeded` takes it back.
   * Rejects with 429 `over_request_rate_limit` while there is something to wait for; such an attempt is not counted. Where only the account
   * waits, a network has a look once a minute all the same.
   */
  async begin(attempted: Attempted): Promise<Attempt> {
    return await this.#begin(this.#keysOf(attempted), this.#lookOf(attempted))
  }

  /** Counts that a session chooses a new password. `takeBack` takes it back, and nothing else does. Rejects as `begin` does. */
  async beginChange(sessionId: string): Promise<Attempt> {
    return await this.#begin({ change: this.keyOf('change', sessionId) })
  }

  async #begin(keys: Keys, look?: Look): Promise<Attempt> {
    const now = this.#clock.now()
    this.#demandNone(keys, look)
    return await this.#db.transaction(async (tx) => {
      const counts = await lock(tx, keys, now)
      this.#remember(counts, now)
      const { account, ...others } = keys
      const until = latest(Object.values(others), counts)
      if (until > now) throw waitFor(until - now)
      const accountUntil = account ? latest([account], counts) : 0
      if (accountUntil <= now) return await this.#counted(tx, { keys, counts, now })
      if (!look) throw waitFor(accountUntil - now)
      const looks = await lock(tx, look, now)
      this.#remember(looks, now)
      const lookUntil = latest(Object.values(look), looks)
      if (lookUntil > now) throw waitFor(Math.min(accountUntil, lookUntil) - now)
      return await this.#counted(tx, { keys: others, counts, now, look, looks })
    })
  }

  /** One more failure of each key; the account is not counted where it was looked past. */
  async #counted(tx: Queryable, { keys, counts, now, look, looks }: Counting): Promise<Attempt> {
    const stored = Object.entries(keys).map(
      ([kind, key]) => [key, counted(RULES[kind as Kind], counts.get(key), now)] as const,
    )
    const looked = look
      ? ([
          [look.look, { level: 1, updatedAt: now, blockedUntil: now + LOOK_EVERY_MS }],
          [look.looks, counted(RULES.looks, looks?.get(look.looks), now)],
        ] as const)
      : []
    const all = [...stored, ...looked]
    await store(tx, all)
    return {
      keys,
      looks: look ? Object.values(look) : [],
      blocked: new Map(all.map(([key, { blockedUntil }]) => [key, blockedUntil])),
    }
  }

  /** Nothing was looked at, so it is as if nothing had been: where no turn came, somebody's right password must not count as a wrong one. */
  async takeBack({ keys, looks, blocked }: Attempt): Promise<void> {
    const all = Object.values(keys)
    for (const key of [...all, ...looks]) this.#waits.delete(key)
    await this.#db.transaction(async (tx) => {
      // Looks are taken last, as `begin` does.
      const taken = [...(await take(tx, all)), ...(await take(tx, looks))]
      const rows = taken.map(({ key, level, blocked_until }) => ({
        key,
        level: Math.max(0, level - 1),
        // A wait that another attempt has brought meanwhile stays.
        blocked_until: blocked_until?.getTime() === blocked.get(key) ? null : blocked_until,
      }))
      await tx.query(
        `update auth.attempts a set level = r.level, blocked_until = r.blocked_until
         from jsonb_to_recordset($1) as r(key text, level float8, blocked_until timestamptz) where a.key = r.key`,
        [rows],
      )
    })
  }

  /**
   * It was no failure: the pair starts anew, the others are as if nothing had been. The row of the pair stays: were it deleted and made
   * again, two who take the same rows could wait for each other.
   */
  async succeeded(tx: Queryable, { keys }: Attempt): Promise<void> {
    for (const key of Object.values(keys)) this.#waits.delete(key)
    await take(tx, Object.values(keys))
    await tx.query(
      `update auth.attempts set blocked_until = null,
         level = case when key = $2 then 0 else greatest(0, level - 1) end
       where key in (select jsonb_array_elements_text($1))`,
      [Object.values(keys), keys.own ?? keys.near ?? keys.pair],
    )
  }

  /**
   * Refuses, as `begin` does, whom it has refused within the last second. It asks the database nothing: a flood that is refused anyway shall
   * cost the others no time.
   */
  demandNoWait(attempted: Attempted): void {
    this.#demandNone(this.#keysOf(attempted), this.#lookOf(attempted))
  }

  #demandNone({ account, ...others }: Keys, look?: Look): void {
    const now = this.#clock.monotonic()
    const until = this.#remembered(Object.values(others), now)
    if (until > now) throw waitFor(until - now)
    const accountUntil = account ? this.#remembered([account], now) : 0
    const lookUntil = look ? this.#remembered(Object.values(look), now) : accountUntil
    if (Math.min(accountUntil, lookUntil) > now) throw waitFor(Math.min(accountUntil, lookUntil) - now)
  }

  /** Until when one of the keys waits, as it is remembered here; 0 for none. */
  #remembered(keys: readonly string[], now: number): number {
    const waits = keys.flatMap((key) => this.#waits.get(key) ?? [])
    return Math.max(0, ...waits.map((wait) => (wait.remembered > now ? wait.until : 0)))
  }

  #remember(counts: ReadonlyMap<string, Count>, now: number): void {
    const seenAt = this.#clock.monotonic()
    for (const [key, { blockedUntil }] of counts) {
      if (blockedUntil <= now) continue
      this.#waits.set(key, { until: seenAt + blockedUntil - now, remembered: seenAt + REMEMBERED_MS })
    }
  }

  #keysOf({ what, account, place, known }: Attempted): Keys {
    const ofAddress = { address: this.#hash(what, 'address', place.address) }
    const ofNetwork = known ? {} : { network: this.#hash(what, 'network', place.network) }
    if (account === undefined) return { ...ofAddress, ...ofNetwork }
    if (known === 'address') return { ...ofAddress, own: this.#hash(what, 'own', account, place.address) }
    const pair = this.#hash(what, 'pair', account, place.network)
    if (known === 'network') return { ...ofAddress, near: pair }
    return { ...ofAddress, pair, ...ofNetwork, account: this.#hash(what, 'account', account) }
  }

  #lookOf({ what, account, place, known }: Attempted): Look | undefined {
    if (account === undefined || known) return undefined
    return {
      look: this.#hash(what, 'look', account, place.network),
      looks: this.#hash(what, 'looks', account),
    }
  }

  #hash(...parts: string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex')
  }
}

/** Until when one of the keys waits; 0 for none. */
const latest = (keys: readonly string[], counts: ReadonlyMap<string, Count>): number =>
  Math.max(0, ...keys.map((key) => counts.get(key)?.blockedUntil ?? 0))

function waitFor(ms: number): AuthError {
  const seconds = Math.ceil(ms / 1000)
  const time =
    seconds < 120
      ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
      : `${Math.ceil(seconds / 60)} minutes`
  return AuthError.tooMany(`Too many failed attempts. Try again in ${time}.`, ms)
}
