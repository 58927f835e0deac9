import type { Clock } from '@heyline/kit/clock'

/** Most jobs that wait ahead of need. A new one drops the oldest, which nobody may ever want. */
const MOST_AHEAD = 20
/** Most jobs of one conversation that wait. It listens to one sentence, and has the next one made. */
const MOST_OF_ONE = 8
/** Of so many jobs one goes to whoever has waited longest, so that nobody waits for ever. */
const TURN_OF_THE_LONGEST = 4
/** Who needs a job within this time counts as waiting, in milliseconds: somebody listens whose next sentence must not be late. */
const SOON_MS = 300

/** Whose jobs take turns with those of others. */
export type Conversation = object

interface LiveJob<Job> {
  job: Job
  /** When somebody begins to wait for it, in milliseconds since the epoch. */
  neededAt: number
  of: Conversation
}

/**
 * Jobs that wait for a voice thread: speech that somebody waits for, then what is needed soonest, then what is made ahead of need.
 * Where several conversations wait, each gets one job in turn, and in each turn whoever has waited least goes first, so that a crowd
 * does not make everybody wait; only every fourth job is for whoever has waited longest.
 */
export class JobQueue<Job> {
  readonly #clock: Clock
  #live: LiveJob<Job>[] = []
  #ahead: Job[] = []
  #taken = 0
  #turn = 0
  /** The first turn in which each conversation that had one may have another. */
  readonly #turns = new WeakMap<Conversation, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#live.length === 0 && this.#ahead.length === 0
  }

  /**
   * Somebody needs this job at this time. One that waits ahead of need moves up. False where too many of this conversation wait; then
   * nothing is added.
   */
  addLive(job: Job, neededAt: number, of: Conversation = {}): boolean {
    const known = this.#live.find((other) => other.job === job)
    if (known) {
      if (!this.#goesBefore(known.neededAt, neededAt)) Object.assign(known, { neededAt, of })
      return true
    }
    if (this.#live.filter((other) => other.of === of).length >= MOST_OF_ONE) return false
    this.#ahead = this.#ahead.filter((other) => other !== job)
    this.#live.push({ job, neededAt, of })
    return true
  }

  /** Nobody waits for this job yet. Returns the job that is dropped for it, if there are too many. */
  addAhead(job: Job): Job | undefined {
    this.#ahead.push(job)
    return this.#ahead.length > MOST_AHEAD ? this.#ahead.shift() : undefined
  }

  next(): Job | undefined {
    if (this.#live.length === 0) return this.#ahead.shift()
    this.#taken += 1
    const soon = this.#clock.monotonic() + SOON_MS
    const waiting = this.#live.filter(({ neededAt }) => neededAt <= soon)
    const isForTheLongest = waiting.length === 0 || this.#taken % TURN_OF_THE_LONGEST === 0
    const next = isForTheLongest ? first(this.#live, byNeed) : this.#inTurn(waiting)
    if (!next) return undefined
    this.#turns.set(next.of, this.#turnOf(next) + 1)
    this.remove(next.job)
    return next.job
  }

  /** False when the job was taken already. */
  remove(job: Job): boolean {
    const waiting = this.has(job)
    this.#live = this.#live.filter((other) => other.job !== job)
    this.#ahead = this.#ahead.filter((other) => other !== job)
    return waiting
  }

  has(job: Job): boolean {
    return this.#live.some((other) => other.job === job) || this.#ahead.includes(job)
  }

  /** Empties it. */
  takeAll(): Job[] {
    const all = [...this.#live.map(({ job }) => job), ...this.#ahead]
    this.#live = []
    this.#ahead = []
    return all
  }

  /** Of each conversation its earliest; of those with the fewest turns the one who has waited least. */
  #inTurn(waiting: readonly LiveJob<Job>[]): LiveJob<Job> | undefined {
    const earliest = new Map<Conversation, LiveJob<Job>>()
    for (const live of waiting) {
      const other = earliest.get(live.of)
      if (!other || live.neededAt < other.neededAt) earliest.set(live.of, live)
    }
    const next = first(
      [...earliest.values()],
      (one, other) => this.#turnOf(one) - this.#turnOf(other) || other.neededAt - one.neededAt,
    )
    if (next) this.#turn = this.#turnOf(next)
    return next
  }

  /** Who has had no turn yet has one in this. */
  #turnOf({ of }: LiveJob<Job>): number {
    return Math.max(this.#turn, this.#turns.get(of) ?? 0)
  }

  /** Whether what is needed at `one` goes before what is needed at `other`. */
  #goesBefore(one: number, other: number): boolean {
    const now = this.#clock.monotonic()
    return Math.max(one, other) <= now ? one > other : one < other
  }
}

const byNeed = (one: { neededAt: number }, other: { neededAt: number }) => one.neededAt - other.neededAt

/** The first by this order; of equal ones, the first that came. */
const first = <Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (best, item) => (best === undefined || compare(item, best) < 0 ? item : best),
    undefined,
  )
