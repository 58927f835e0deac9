export interface WaitingLineOptions {
  /** How many are let through at once. */
  atOnce: number
  /** How many may wait meanwhile; no bound where it is left out. */
  waiting?: number
  /** Longest that one of them waits, in milliseconds; no bound where it is left out. */
  longestMs?: number
}

/** Somebody got no turn; the work was not begun. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError'
  /** Too many waited already, or this one waited for too long. */
  readonly code: 'too_many' | 'too_long'

  constructor(code: 'too_many' | 'too_long') {
    super(code === 'too_many' ? 'Too many wait for their turn.' : 'The turn did not come in time.')
    this.code = code
  }
}

/** Ends the turn. Calling it again does nothing. */
export type Leave = () => void

/**
 * Lets so many through at once. The others wait in memory, first come first served, and hold nothing while they wait.
 *
 * @example
 * const line = new WaitingLine({ atOnce: 2 })
 * const answer = await line.run(() => ask())
 */
export class WaitingLine {
  readonly #options: Required<WaitingLineOptions>
  #inside = 0
  readonly #waiting = new Set<() => void>()

  constructor({ atOnce, waiting = Number.POSITIVE_INFINITY, longestMs = 0 }: WaitingLineOptions) {
    this.#options = { atOnce, waiting, longestMs }
  }

  /** Whether somebody waits for a turn. */
  get isWanted(): boolean {
    return this.#waiting.size > 0
  }

  /** A turn at once, if one is free. */
  tryEnter(): Leave | undefined {
    if (this.#inside >= this.#options.atOnce) return undefined
    this.#inside++
    return this.#leave()
  }

  /** Resolves when the turn has come. Rejects with a `NoTurnError` where none came, and with the signal's reason once it is aborted. */
  async enter(signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted()
    const leave = this.tryEnter()
    if (leave) return leave
    const { waiting, longestMs } = this.#options
    if (this.#waiting.size >= waiting) throw new NoTurnError('too_many')
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(late)
        signal?.removeEventListener('abort', giveUp)
        this.#waiting.delete(begin)
      }
      const begin = () => {
        end()
        resolve()
      }
      const giveUp = () => {
        end()
        reject(signal?.reason)
      }
      const beLate = () => {
        end()
        reject(new NoTurnError('too_long'))
      }
      const late = longestMs > 0 ? setTimeout(beLate, longestMs) : undefined
      signal?.addEventListener('abort', giveUp)
      this.#waiting.add(begin)
    })
    return this.#leave()
  }

  /** Runs the work when its turn has come, and tells what became of it. Rejects as `enter` does when it was not begun. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const leave = await this.enter(signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** The place of one who leaves stays taken while somebody waits: nobody slips in between. */
  #leave(): Leave {
    let left = false
    return () => {
      if (left) return
      left = true
      const [next] = this.#waiting
      if (!next) {
        this.#inside--
        return
      }
      this.#waiting.delete(next)
      next()
    }
  }
}

/** A waiting line for each of any number of clients: nobody waits for another one's work. A line is forgotten when nobody is in it. */
export class WaitingLines {
  readonly #options: WaitingLineOptions
  readonly #lines = new Map<string, { line: WaitingLine; present: number }>()

  constructor(options: WaitingLineOptions) {
    this.#options = options
  }

  /** Resolves when this client's turn has come. Rejects as `WaitingLine` does where none came. */
  async enter(client: string, signal?: AbortSignal): Promise<Leave> {
    const own = this.#lines.get(client) ?? { line: new WaitingLine(this.#options), present: 0 }
    this.#lines.set(client, own)
    own.present++
    const goOut = () => {
      own.present--
      if (own.present === 0) this.#lines.delete(client)
    }
    try {
      const leave = await own.line.enter(signal)
      let left = false
      return () => {
        if (left) return
        left = true
        leave()
        goOut()
      }
    } catch (error) {
      goOut()
      throw error
    }
  }

  /** Runs the work when this client's turn has come, and tells what became of it. Rejects as `WaitingLine` does when it was not begun. */
  async run<Result>(client: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const leave = await this.enter(client, signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** Enters a line within another one's turn, such as that of all clients within a client's own. Ended, it ends both. */
export async function enterBoth(outer: () => Promise<Leave>, inner: () => Promise<Leave>): Promise<Leave> {
  const leaveOuter = await outer()
  try {
    const leaveInner = await inner()
    return () => {
      leaveInner()
      leaveOuter()
    }
  } catch (error) {
    leaveOuter()
    throw error
  }
}

/** Enters whichever of two lines has a turn first. Rejects as the first does where neither has one. */
export async function enterEither(
  first: WaitingLine,
  second: WaitingLine,
): Promise<{ line: WaitingLine; leave: Leave }> {
  for (const line of [first, second]) {
    const leave = line.tryEnter()
    if (leave) return { line, leave }
  }
  const entered = new AbortController()
  const enter = async (line: WaitingLine) => {
    const leave = await line.enter(entered.signal)
    // Both had one at the same moment.
    if (entered.signal.aborted) leave()
    else entered.abort()
    return { line, leave }
  }
  const ofFirst = enter(first)
  return await Promise.any([ofFirst, enter(second)]).catch(() => ofFirst)
}

/** Runs a part of some work when its turn has come. */
export type InTurn = <Done>(part: () => Promise<Done>) => Promise<Done>
