/** Most jobs that wait ahead of need; the oldest is dropped for a new one, as nobody may ever come for it. */
const MOST_AHEAD = 20

/** What waits for a voice thread: live speech first, in its order, then what is only made ahead of need. */
export class JobQueue<Job> {
  #live: Job[] = []
  #ahead: Job[] = []

  get isEmpty(): boolean {
    return this.#live.length === 0 && this.#ahead.length === 0
  }

  /** Somebody waits for this job. One that waits ahead of need moves up. */
  addLive(job: Job): void {
    this.remove(job)
    this.#live.push(job)
  }

  /** Nobody waits for this job yet. Returns the one that has to give way, if there are too many. */
  addAhead(job: Job): Job | undefined {
    this.#ahead.push(job)
    return this.#ahead.length > MOST_AHEAD ? this.#ahead.shift() : undefined
  }

  next(): Job | undefined {
    return this.#live.shift() ?? this.#ahead.shift()
  }

  /** False when the job is not here: it was taken already. */
  remove(job: Job): boolean {
    const waiting = this.has(job)
    this.#live = this.#live.filter((other) => other !== job)
    this.#ahead = this.#ahead.filter((other) => other !== job)
    return waiting
  }

  has(job: Job): boolean {
    return this.#live.includes(job) || this.#ahead.includes(job)
  }

  /** Empties it. */
  takeAll(): Job[] {
    const all = [...this.#live, ...this.#ahead]
    this.#live = []
    this.#ahead = []
    return all
  }
}
