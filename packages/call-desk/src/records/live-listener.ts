/** Calls that wait for one console; it is told no more, and comes back. */
const MOST_WAITING = 2000

/** One console: the newest of each call waits until it is read, so that a slow one costs no more. */
export class LiveListener<Event> {
  readonly #waiting = new Map<string, Event>()
  #wake = () => {}
  #isOver = false

  tell(key: string, event: Event): void {
    this.#waiting.delete(key)
    this.#waiting.set(key, event)
    if (this.#waiting.size > MOST_WAITING) this.end()
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** What waits, once something does; undefined at the end. */
  async next(): Promise<Event[] | undefined> {
    while (this.#waiting.size === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (this.#isOver) return undefined
    const events = [...this.#waiting.values()]
    this.#waiting.clear()
    return events
  }
}
