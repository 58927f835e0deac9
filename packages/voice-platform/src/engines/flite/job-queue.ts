/** Most jobs that wait ahead of need. A new one drops the oldest, which nobody may ever want. */
const MOST_AHEAD = 20

/** Jobs that wait for a voice thread: live speech first, in order, then speech that is made ahead of need. */
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

  /** Nobody waits for this job yet. Returns the job that is dropped for it, if there are too many. */
  addAhead(job: Job): Job | undefined {
    this.#ahead.push(job)
    return this.#ahead.length > MOST_AHEAD ? this.#ahead.shift() : undefined
  }

  next(): Job | undefined {
    return this.#live.shift() ?? this.#ahead.shift()
  }

  /** False when the job was taken already. */
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
