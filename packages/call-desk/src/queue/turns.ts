export interface TurnsOptions {
  /** Tasks that run at a time. */
  atOnce: number
  /** Tasks that may wait meanwhile. */
  waiting: number
  /** Longest that one of them waits, in milliseconds. */
  longestMs: number
}

/** A task got no turn, and was not begun. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError'
  /** Too many waited already, or this one waited for too long. */
  readonly code: 'too_many' | 'too_long'

  constructor(code: 'too_many' | 'too_long') {
    super(code === 'too_many' ? 'Too many wait for their turn.' : 'The turn did not come in time.')
    this.code = code
  }
}

/** Runs so many tasks at a time; the others wait in memory, first come first served, and hold nothing while they wait. */
export class Turns {
  readonly #options: TurnsOptions
  #running = 0
  readonly #waiting = new Set<() => void>()

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /** What becomes of the task; rejects with a `NoTurnError` when it was not begun. */
  async take<T>(task: () => Promise<T>): Promise<T> {
    await this.#begin()
    try {
      return await task()
    } finally {
      this.#end()
    }
  }

  async #begin(): Promise<void> {
    const { atOnce, waiting, longestMs } = this.#options
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    if (this.#waiting.size >= waiting) throw new NoTurnError('too_many')
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(begin)
        reject(new NoTurnError('too_long'))
      }, longestMs)
      const begin = () => {
        clearTimeout(late)
        resolve()
      }
      this.#waiting.add(begin)
    })
  }

  /** Hands the turn on. */
  #end(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running--
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
