import type { Db } from '@heyline/database'
import { BusyShare } from '@heyline/kit/busy-share'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { type InTurn, NoTurnError, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'
import { type Asked, nameOf } from '../access/asked.js'
import { OperatorsError } from '../operators/operators-error.js'

/** Changes of many rows by one operator: one after the other. */
const OWN = { atOnce: 1, waiting: 20, longestMs: 60_000 }
/** Parts of such changes at once. PGlite has one session; a pool of connections to Postgres has ten. */
const PARTS_AT_ONCE: Record<Db['kind'], number> = { pglite: 1, postgres: 3 }
/** On PGlite others have half of the time at least. A short change needs no rest. */
const RESTS = { burstMs: 250, share: 1 / 2, longestRestMs: 5_000 }
const RETRY_SECONDS = 10

/** The turns of changes of many rows, which the database does in short parts: nobody else waits for more than one of them. */
export class ChangeTurns {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>
  readonly #own = new WaitingLines(OWN)
  // Without a bound of time: a change that has begun is not left in its midst. Each operator has one there.
  readonly #parts: WaitingLine
  readonly #busy: BusyShare | undefined

  constructor(kind: Db['kind'], clock: Pick<Clock, 'monotonic' | 'after'> = systemClock) {
    this.#clock = clock
    this.#parts = new WaitingLine({ atOnce: PARTS_AT_ONCE[kind] })
    this.#busy = kind === 'pglite' ? new BusyShare(RESTS, clock) : undefined
  }

  /**
   * Changes when the turn has come: each part within `inTurn`. Rejects with an `OperatorsError`, `too_many_changes`, where none came, with
   * the reason of `left` if that is first, and as `check` does, which is asked before each part. Once a part has failed it is asked no more:
   * who was taken out meanwhile can still have taken back what was changed.
   */
  async run<Changed>(
    asked: Pick<Asked, 'operator' | 'left' | 'check'>,
    change: (inTurn: InTurn) => Promise<Changed>,
  ): Promise<Changed> {
    const { left, check } = asked
    const leave = await this.#own.enter(nameOf(asked), left).catch((error) => {
      throw refusalOf(error)
    })
    try {
      left.throwIfAborted()
      // A change that is made elsewhere has no parts.
      await check()
      let hasFailed = false
      return await change((part) =>
        this.#part(async () => {
          try {
            if (!hasFailed) await check()
            return await part()
          } catch (error) {
            hasFailed = true
            throw error
          }
        }),
      )
    } finally {
      leave()
    }
  }

  async #part<Done>(part: () => Promise<Done>): Promise<Done> {
    const leave = await this.#parts.enter()
    const began = this.#clock.monotonic()
    try {
      return await part()
    } finally {
      this.#busy?.count(ALL, this.#clock.monotonic() - began)
      const restMs = this.#busy?.restMs(ALL) ?? 0
      if (restMs > 0) this.#clock.after(restMs, leave)
      else leave()
    }
  }
}

const ALL = 'all'

function refusalOf(error: unknown): unknown {
  if (!(error instanceof NoTurnError)) return error
  return new OperatorsError(
    'too_many_changes',
    'You ask for too many changes of many rows at once: ask for one after the other',
    { cause: error, waitSeconds: RETRY_SECONDS },
  )
}
