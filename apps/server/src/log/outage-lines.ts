import { type Db, isOutage, isOutageCode } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger, LoggerOptions } from 'pino'

/** How often it is looked whether the database is back, in ms. */
const LOOK_MS = 1_000
/** An outage is over when nothing has failed for so long, in ms: longer than the pause of any loop that looks for work. */
const QUIET_MS = 6_000
/** Texts that are told apart in one outage. */
const MOST_PLACES = 200

/** What a page's lookup says when the backend, which is on the same database, could not read. */
const CONSEQUENCES: readonly string[] = ['VisitorLookupError read-failed']

interface Lost {
  /** When the first line came, and the last. */
  since: number
  last: number
  /** How many lines of each text were left out. */
  leftOut: Map<string, number>
}

/**
 * Keeps the log short while the database is away: each place (a line's text) says so once, however many loops and requests fail
 * there, and one line tells when the database is back. Every line of the server passes here.
 */
export class OutageLines {
  readonly #clock: Clock
  #lost: Lost | undefined
  #followed: { db: Pick<Db, 'query'>; logger: Logger } | undefined
  #stop: () => void = () => {}
  #isEnded = false

  constructor({ clock = systemClock }: { clock?: Clock } = {}) {
    this.#clock = clock
  }

  /** For pino's options. */
  get hooks(): NonNullable<LoggerOptions['hooks']> {
    const admits = (line: unknown, text: unknown) => this.#admits(line, text)
    return {
      logMethod(args, method) {
        if (admits(args[0], args[1])) method.apply(this, args)
      },
    }
  }

  /** Looks at this database for when it is back, and tells it there. Returns how to end that. */
  follow(db: Pick<Db, 'query'>, logger: Logger): () => void {
    this.#followed = { db, logger }
    return () => {
      this.#followed = undefined
      this.#isEnded = true
      this.#stop()
    }
  }

  #admits(line: unknown, text: unknown): boolean {
    if (!tellsOutage(line, this.#lost !== undefined)) return true
    const now = this.#clock.monotonic()
    this.#lost ??= this.#begin(now)
    this.#lost.last = now
    const { leftOut } = this.#lost
    const place = String(text)
    const before = leftOut.get(place)
    if (before !== undefined) leftOut.set(place, before + 1)
    else if (leftOut.size < MOST_PLACES) leftOut.set(place, 0)
    return before === undefined && leftOut.has(place)
  }

  #begin(now: number): Lost {
    this.#lookLater()
    return { since: now, last: now, leftOut: new Map() }
  }

  #lookLater(): void {
    if (!this.#isEnded) this.#stop = this.#clock.after(LOOK_MS, () => void this.#look())
  }

  async #look(): Promise<void> {
    if (await this.#isBack()) this.#end()
    else this.#lookLater()
  }

  async #isBack(): Promise<boolean> {
    const { db } = this.#followed ?? {}
    if (!db || !this.#isQuiet()) return false
    const answers = await db.query('select 1').then(
      () => true,
      () => false,
    )
    return answers && this.#isQuiet()
  }

  #isQuiet(): boolean {
    return this.#clock.monotonic() - (this.#lost?.last ?? 0) >= QUIET_MS
  }

  #end(): void {
    const lost = this.#lost
    this.#lost = undefined
    if (!lost) return
    const seconds = Math.max(1, Math.round((lost.last - lost.since) / 1000))
    const more = [...lost.leftOut].filter(([, count]) => count > 0)
    const count = more.reduce((sum, [, each]) => sum + each, 0)
    this.#followed?.logger.warn(
      { seconds, leftOut: Object.fromEntries(more) },
      `the database is back after ${seconds} s; ${count} more lines like those before were left out`,
    )
  }
}

/** Whether the line tells of the database, or of what follows from it. */
function tellsOutage(line: unknown, isLost: boolean): boolean {
  if (typeof line !== 'object' || line === null) return false
  const err = 'err' in line ? line.err : undefined
  if (isOutage(err)) return true
  const named = err instanceof Error ? errorCode(err) : 'reason' in line ? String(line.reason) : ''
  if (isLost && CONSEQUENCES.includes(named)) return true
  const [, code] = /^DatabaseError (\w{5})$/.exec(named) ?? []
  return code !== undefined && isOutageCode(code)
}

const errorCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
