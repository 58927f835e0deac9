import type { Db } from '@heyline/database'
import { BusyShare } from '@heyline/kit/busy-share'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { enterBoth, type Leave, NoTurnError, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'
import { ApiError } from '../resources/api-error.js'

/** Reads of one member: two at once, and as many wait as pages ask for together. */
const OWN = { atOnce: 2, waiting: 40, longestMs: 10_000 }
/** Of all members. The private key waits for none of them. */
const ALL = { atOnce: 3, waiting: 200, longestMs: 10_000 }
/** A member who keeps the database busy for long rests between reads, as operators do in the console: on PGlite three times as long as they took. */
const RESTS = { burstMs: 2_000, longestRestMs: 1_500 }
const SHARE: Record<Db['kind'], number> = { pglite: 1 / 4, postgres: 1 }
/** Parts of long answers, of one member and of all: who has the first may have the others, too. */
const OWN_PARTS = { atOnce: 1 }
const PARTS = { atOnce: 2 }
/** Exports of all members; a member has one. */
const EXPORTS = { atOnce: 2 }
const RETRY_AFTER_SECONDS = 1

/** The turns of what members read, so that a member's lists keep nobody's calls waiting. All keys and sessions of a member share theirs. */
export class MemberTurns {
  readonly #own = new WaitingLines(OWN)
  readonly #all = new WaitingLine(ALL)
  readonly #ownParts = new WaitingLines(OWN_PARTS)
  readonly #parts = new WaitingLine(PARTS)
  readonly #exporting = new Set<string>()
  readonly #exports = new WaitingLine(EXPORTS)
  readonly #busy: BusyShare
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>

  constructor(kind: Db['kind'], clock: Pick<Clock, 'monotonic' | 'after'> = systemClock) {
    this.#busy = new BusyShare({ ...RESTS, share: SHARE[kind] }, clock)
    this.#clock = clock
  }

  /** Resolves when the turn has come, with what ends it. Rejects with an `ApiError` 429 where none came, or where nobody waits for the answer any more. */
  async enter(member: string, left: AbortSignal): Promise<Leave> {
    try {
      const leave = await enterBoth(
        () => this.#own.enter(member, left),
        () => this.#rested(member, left),
      )
      return this.#counted(member, leave)
    } catch (cause) {
      throw cause instanceof NoTurnError || left.aborted ? tooMuch(cause) : cause
    }
  }

  /** The turn of all, once the member has rested. */
  async #rested(member: string, left: AbortSignal): Promise<Leave> {
    await this.#busy.rest(member, left)
    return await this.#all.enter(left)
  }

  /** The same, which counts how long the turn was. */
  #counted(member: string, leave: Leave): Leave {
    const began = this.#clock.monotonic()
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#busy.count(member, this.#clock.monotonic() - began)
      leave()
    }
  }

  /** A turn to export, at once; undefined where the member has one already, or others have them all. */
  tryExport(member: string): Leave | undefined {
    const leave = this.#exporting.has(member) ? undefined : this.#exports.tryEnter()
    if (!leave) return undefined
    this.#exporting.add(member)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#exporting.delete(member)
      leave()
    }
  }

  /** Parts of an answer that is written while it is read, each in a turn of its own: who reads slowly holds none. Members take turns. */
  async *inTurns<Part>(member: string, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    try {
      for (;;) {
        const part = await this.#ownParts.run(member, () => this.#parts.run(() => parts.next()))
        if (part.done) return
        yield part.value
      }
    } finally {
      await parts.return()
    }
  }
}

const tooMuch = (cause: unknown) =>
  new ApiError(429, 'You ask for too much at once: ask for one after the other, or again in a moment.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
