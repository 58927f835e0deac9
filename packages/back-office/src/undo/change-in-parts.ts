import { measureVisitors } from '@heyline/backend'
import { boundedParts, type Db, type Queryable } from '@heyline/database'
import type { InTurn } from '@heyline/kit/waiting-line'
import type { PartsLine } from '../audit/parts-line.js'
import { OperatorsError } from '../operators/operators-error.js'
import { applyUndo } from './apply-undo.js'
import { MOST_OF_ONE, type UndoableChange, undoable } from './visitor-undo.js'
import { PART } from './write-part.js'

export interface ManyChange extends Pick<UndoableChange, 'userId' | 'what'> {
  slugs: readonly string[]
  inTurn: InTurn
  /** Counts what is changed under the name `count`, and what of it is taken back again as `takenBack`. */
  line: PartsLine
  count: string
}

/**
 * Changes the visitors of these slugs in parts, each a transaction in its turn, under one undo. Where a part fails, what was changed before is
 * taken back; where nothing takes it back, this rejects with an `OperatorsError`, `changed_in_part`, that says how many were changed.
 */
export async function changeInParts(
  db: Db,
  { userId, what, slugs, inTurn, line, count }: ManyChange,
  change: (tx: Queryable, slugs: string[]) => Promise<number>,
): Promise<{ changed: number; undoId: string | null }> {
  const measured = await inTurn(() => measureVisitors(db, slugs))
  let isKept = measured.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_OF_ONE
  let undoId: string | null = null
  let changed = 0
  for (const part of boundedParts(measured, PART)) {
    const these = part.map(({ slug }) => slug)
    try {
      const done = await inTurn(() =>
        undoable(db, { userId, what, isKept, undoId: undoId ?? undefined }, async (tx, kept) => {
          const made = await kept(these, () => change(tx, these))
          await line.count(tx, { [count]: made })
          return made
        }),
      )
      changed += done.result
      // A part in which nothing was to change begins no undo.
      if (!done.isChanged) continue
      undoId = done.undoId
      isKept = undoId !== null
    } catch (error) {
      throw await takenBack(error, changed, async () => {
        if (userId === undefined || undoId === null) throw error
        await applyUndo(db, userId, undoId, inTurn, (tx, { restored = 0, removed = 0 }) =>
          line.count(tx, { takenBack: restored + removed }),
        )
      })
    }
  }
  return { changed, undoId }
}

async function takenBack(error: unknown, changed: number, takeBack: () => Promise<void>): Promise<unknown> {
  if (changed === 0) return error
  try {
    await takeBack()
    return error
  } catch {
    return new OperatorsError(
      'changed_in_part',
      `The change broke off in the midst: ${changed} of the visitors were changed, and the others were not. Ask again`,
      { cause: error },
    )
  }
}
