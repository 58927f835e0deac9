import { type Leave, NoTurnError, WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'
import type { Asked } from '../access/asked.js'
import { OperatorsError } from '../operators/operators-error.js'

/** Exports of one operator. The others wait, and beyond these they are refused. */
const OWN_EXPORTS = { atOnce: 2, waiting: 2, longestMs: 10_000 }
/** Exports of all operators. */
const ALL_EXPORTS = { atOnce: 4, waiting: 20, longestMs: 10_000 }
/** Large pages of one operator. */
const OWN_PAGES = { atOnce: 2, waiting: 10, longestMs: 5_000 }
/** A page of so many rows is a large one. */
const LARGE_PAGE = 500

const EXPORT_RETRY_SECONDS = 10
const PAGE_RETRY_SECONDS = 2

type Who = Pick<Asked, 'operator'>

/** The turns of what is much work: exports, and pages of 500 rows or more. All keys and sessions of an operator share theirs. */
export class OfficeTurns {
  readonly #ownExports = new WaitingLines(OWN_EXPORTS)
  readonly #exports = new WaitingLine(ALL_EXPORTS)
  readonly #ownPages = new WaitingLines(OWN_PAGES)

  /** Resolves when an export may begin, with what ends its turn. Rejects with an `OperatorsError`, `too_many_exports`. */
  export(asked: Who): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const held = () => new Promise<void>((leave) => resolve(leave))
      this.#ownExports
        .run(nameOf(asked), () => this.#exports.run(held))
        .catch((error) => {
          reject(refusalOf(error, EXPORTS_REFUSED))
        })
    })
  }

  /** Makes an answer when its turn has come; a short page waits for nobody. Rejects with an `OperatorsError`, `too_many_pages`. */
  async page<Answer>(asked: Who, limit: unknown, make: () => Promise<Answer>): Promise<Answer> {
    if (typeof limit !== 'number' || limit < LARGE_PAGE) return await make()
    return await this.#ownPages.run(nameOf(asked), make).catch((error) => {
      throw refusalOf(error, PAGES_REFUSED)
    })
  }
}

const nameOf = ({ operator }: Who): string => operator?.userId ?? 'secret key'

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

function refusalOf(error: unknown, refusal: typeof EXPORTS_REFUSED | typeof PAGES_REFUSED): unknown {
  if (!(error instanceof NoTurnError)) return error
  const { code, message, waitSeconds } = refusal
  return new OperatorsError(code, message, { cause: error, waitSeconds })
}
