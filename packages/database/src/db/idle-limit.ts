/** Ends a transaction that keeps its session and asks for nothing. */
export class IdleLimit {
  readonly #limitMs: number
  readonly #onExpired: () => void
  #underWay = 0
  #over = false
  #timer: NodeJS.Timeout | undefined

  /** `onExpired` is called at most once, `limitMs` after the last statement; never where that is infinite. */
  constructor(limitMs: number, onExpired: () => void) {
    this.#limitMs = limitMs
    this.#onExpired = onExpired
  }

  /** Begins to count; again after each statement. */
  start(): void {
    if (this.#over || this.#underWay > 0 || this.#limitMs === Number.POSITIVE_INFINITY) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onExpired, this.#limitMs)
  }

  /** Does not count while the statement is under way. */
  async during<T>(statement: () => Promise<T>): Promise<T> {
    this.#underWay++
    clearTimeout(this.#timer)
    try {
      return await statement()
    } finally {
      this.#underWay--
      this.start()
    }
  }

  stop(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}
