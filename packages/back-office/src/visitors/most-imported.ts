import type { MeasuredVisitor, NewVisitor } from '@heyline/backend'
import { LinesError } from '../lines/lines-error.js'

/** Most of one import by an operator: it is one transaction, for which others wait about a second on PGlite. */
const MOST = { visitors: 10_000, bytes: 10_000_000, replaced: 2_500, replacedBytes: 25_000_000 }

/** Throws a `LinesError` where these, with the texts of those that they replace, are too much for one transaction. */
export function refuseMuch(all: readonly NewVisitor[], replaced: readonly MeasuredVisitor[] = []): void {
  const replacedBytes = replaced.reduce((sum, visitor) => sum + visitor.bytes, 0)
  let bytes = 0
  for (const { name, system = '', firstMessage = '' } of all)
    for (const text of [name, system, firstMessage]) bytes += Buffer.byteLength(text)
  const isFewNew = all.length <= MOST.visitors && bytes <= MOST.bytes
  if (isFewNew && replaced.length <= MOST.replaced && replacedBytes <= MOST.replacedBytes) return
  throw new LinesError(
    `An operator imports at most ${MOST.visitors} visitors at once, with ${MOST.bytes / 1_000_000} MB of texts, and replaces ${MOST.replaced}, with ${MOST.replacedBytes / 1_000_000} MB of texts: send several parts, each with the undoId of the one before`,
  )
}
