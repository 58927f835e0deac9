import type { Db } from '@heyline/database'
import { OperatorsError } from '../operators/operators-error.js'
import { applyUndo } from '../undo/apply-undo.js'
import type { HandlersOf } from './handlers.js'

export const undoHandlers = (db: Db): HandlersOf<'undo'> => ({
  apply: ({ id }, { operator, changeMany }) => {
    if (!operator)
      throw new OperatorsError(
        'forbidden',
        'Only the operator who made a change takes it back: sign in as one',
      )
    return changeMany((inTurn, line) =>
      applyUndo(db, operator.userId, id, inTurn, (tx, undone) => line.count(tx, undone)),
    )
  },
})
