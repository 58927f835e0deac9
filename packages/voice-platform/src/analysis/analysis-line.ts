/** How many are under way at the same time, and how many wait. */
const AT_ONCE = 2
const MOST_WAITING = 50

/** Analyses of calls that wait for each other, first come, first served. */
export class AnalysisLine {
  readonly #waiting: (() => Promise<void>)[] = []
  #running = 0

  /** No more may wait. */
  get isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING
  }

  /** Begins it when its turn has come. It must not reject. */
  enter(analyse: () => Promise<void>): void {
    this.#waiting.push(analyse)
    this.#next()
  }

  /** Forgets those that wait. */
  clear(): void {
    this.#waiting.length = 0
  }

  #next(): void {
    const run = this.#running < AT_ONCE ? this.#waiting.shift() : undefined
    if (!run) return
    this.#running += 1
    void run().finally(() => {
      this.#running -= 1
      this.#next()
    })
  }
}
