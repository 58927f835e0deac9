import type { Clock } from '@heyline/kit/clock'

/** Most jobs that wait ahead of need. A new one drops the oldest, which nobody may ever want. */
const MOST_AHEAD = 20
/** Of so many jobs one goes to whoever has waited longest, so that nobody waits for ever. */
const TURN_OF_THE_LONGEST = 4

interface LiveJob<Job> {
  job: Job
  /** When somebody begins to wait for it, in milliseconds since the epoch. */
  neededAt: number
}

/**
 * Jobs that wait for a voice thread: live speech first, then speech that is made ahead of need. While the threads keep up, what is
 * needed soonest goes first. Where they do not, whoever has waited least goes first, so that a crowd does not make everybody wait; only
 * every fourth job is for whoever has waited longest.
 */
export class JobQueue<Job> {
  readonly #clock: Clock
  #live: LiveJob<Job>[] = []
  #ahead: Job[] = []
  #taken = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#live.length === 0 && this.#ahead.length === 0
  }

  /** Somebody needs this job at this time. One that waits ahead of need moves up. */
  addLive(job: Job, neededAt: number): void {
    const before = this.#live.find((other) => other.job === job)?.neededAt ?? neededAt
    this.remove(job)
    this.#live.push({ job, neededAt: this.#goesBefore(before, neededAt) ? before : neededAt })
  }

  /** Nobody waits for this job yet. Returns the job that is dropped for it, if there are too many. */
  addAhead(job: Job): Job | undefined {
    this.#ahead.push(job)
    return this.#ahead.length > MOST_AHEAD ? this.#ahead.shift() : undefined
  }

  next(): Job | undefined {
    const [first, ...others] = this.#live
    if (!first) return this.#ahead.shift()
    this.#taken += 1
    const isForTheLongest = this.#taken % TURN_OF_THE_LONGEST === 0
    const next = others.reduce((best, other) => {
      const goesBefore = isForTheLongest
        ? other.neededAt < best.neededAt
        : this.#goesBefore(other.neededAt, best.neededAt)
      return goesBefore ? other : best
    }, first)
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

  /** Whether what is needed at `one` goes before what is needed at `other`. */
  #goesBefore(one: number, other: number): boolean {
    const now = this.#clock.monotonic()
    return Math.max(one, other) <= now ? one > other : one < other
  }
}
