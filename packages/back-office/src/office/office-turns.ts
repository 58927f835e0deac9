import type { Db } from '@heyline/database'
import {
  enterBoth,
  enterEither,
  type Leave,
  NoTurnError,
  WaitingLine,
  WaitingLines,
} from '@heyline/kit/waiting-line'
import { type Asked, isOwner, nameOf } from '../access/asked.js'
import { OperatorsError } from '../operators/operators-error.js'
import { ReadTurns } from './read-turns.js'

/** Exports of one operator. The others wait, and beyond these they are refused. */
const OWN_EXPORTS = { atOnce: 2, waiting: 2, longestMs: 10_000 }
/** Exports of all operators. */
const ALL_EXPORTS = { atOnce: 4, waiting: 20, longestMs: 10_000 }
/** Kept beside these for owners and the secret key, whose backup it may be: others cannot hold it. */
const KEPT_EXPORTS = { atOnce: 1, waiting: 20, longestMs: 10_000 }
/** Large pages of one operator. */
const OWN_PAGES = { atOnce: 2, waiting: 10, longestMs: 5_000 }
/** A page of so many rows is a large one. */
const LARGE_PAGE = 500

const EXPORT_RETRY_SECONDS = 10
const PAGE_RETRY_SECONDS = 2
const READ_RETRY_SECONDS = 1

type Who = Pick<Asked, 'operator'>

export interface ExportTurn {
  /** Ends the turn. */
  leave: Leave
  /** Whether others wait for the place of this export. */
  isWanted(): boolean
}

/** The turns of what the database works for: exports, and reads. All keys and sessions of an operator share theirs. */
export class OfficeTurns {
  readonly #ownExports = new WaitingLines(OWN_EXPORTS)
  readonly #exports = new WaitingLine(ALL_EXPORTS)
  readonly #keptExports = new WaitingLine(KEPT_EXPORTS)
  readonly #ownPages = new WaitingLines(OWN_PAGES)
  readonly #reads: ReadTurns

  constructor(kind: Db['kind']) {
    this.#reads = new ReadTurns(kind)
  }

  /** Resolves when an export may begin, with its turn. Rejects with an `OperatorsError`, `too_many_exports`. */
  async export(asked: Who): Promise<ExportTurn> {
    let entered = this.#exports
    const enterAll = async () => {
      if (!isOwner(asked)) return await this.#exports.enter()
      const { line, leave } = await enterEither(this.#exports, this.#keptExports)
      entered = line
      return leave
    }
    try {
      const leave = await enterBoth(() => this.#ownExports.enter(nameOf(asked)), enterAll)
      return { leave, isWanted: () => entered.isWanted }
    } catch (error) {
      throw refusalOf(error, EXPORTS_REFUSED)
    }
  }

  /**
   * Reads when the turn has come: see `ReadTurns`. Large pages of an operator wait for each other before. Rejects with an `OperatorsError`,
   * `too_many_reads` or `too_many_pages`, or with the reason of `left`.
   */
  async read<Answer>(
    asked: Pick<Asked, 'operator' | 'actor' | 'left'>,
    limit: unknown,
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    const operator = nameOf(asked)
    const reader = { operator, address: asked.actor.address ?? '', left: asked.left }
    const inTurn = () =>
      this.#reads.run(reader, read).catch((error) => {
        throw refusalOf(error, READS_REFUSED)
      })
    if (typeof limit !== 'number' || limit < LARGE_PAGE) return await inTurn()
    return await this.#ownPages.run(operator, inTurn, asked.left).catch((error) => {
      throw refusalOf(error, PAGES_REFUSED)
    })
  }
}

const EXPORTS_REFUSED = {
  code: 'too_many_exports',
  message:
    'Too many exports run already: an operator may have two at once, and all together four. Ask again when one has ended',
  waitSeconds: EXPORT_RETRY_SECONDS,
} as const
const PAGES_REFUSED = {
  code: 'too_many_pages',
  message: `Too many pages of ${LARGE_PAGE} rows or more are asked for at once: ask for one after the other, or for shorter ones`,
  waitSeconds: PAGE_RETRY_SECONDS,
} as const

const READS_REFUSED = {
  code: 'too_many_reads',
  message: 'You ask for too much at once: ask for one after the other, or again in a moment',
  waitSeconds: READ_RETRY_SECONDS,
} as const

type Refused = typeof EXPORTS_REFUSED | typeof PAGES_REFUSED | typeof READS_REFUSED

function refusalOf(error: unknown, refusal: Refused): unknown {
  if (!(error instanceof NoTurnError)) return error
  const { code, message, waitSeconds } = refusal
  return new OperatorsError(code, message, { cause: error, waitSeconds })
}
