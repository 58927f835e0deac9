import type { MeasuredVisitor, NewVisitor } from '@heyline/backend'
import { LinesError } from '../lines/lines-error.js'

/** Most of one import by an operator: it is one transaction, for which others wait about a second on PGlite. */
const MOST = { visitors: 10_000, bytes: 10_000_000 }

/** Throws a `LinesError` where these, with the texts of those that they replace, are too much for one transaction. */
export function refuseMuch(all: readonly NewVisitor[], replaced: readonly MeasuredVisitor[] = []): void {
  let bytes = replaced.reduce((sum, visitor) => sum + visitor.bytes, 0)
  for (const { name, system = '', firstMessage = '' } of all)
    for (const text of [name, system, firstMessage]) bytes += Buffer.byteLength(text)
  if (all.length <= MOST.visitors && bytes <= MOST.bytes) return
  throw new LinesError(
    `An operator imports at most ${MOST.visitors} visitors at once, with ${MOST.bytes / 1_000_000} MB of texts, those that are replaced included: send several parts, each with the undoId of the one before`,
  )
}
