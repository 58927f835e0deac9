import type { Actor } from '../audit/audit.js'
import type { OperatorOffice } from '../operators/operator-office.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

/** `as` rejects where there can be no operators. */
export const operatorHandlers = (as: (actor: Actor) => OperatorOffice): HandlersOf<'operators'> => ({
  me: (_, { operator }) => {
    if (!operator) throw new OperatorsError('invalid_request', 'The secret key is no operator')
    return operator
  },
  list: async (_, { actor }) => as(actor).list(),
  invite: async (asked, { actor }) => as(actor).invite(asked),
  setRole: async (asked, { actor }) => as(actor).setRole(asked),
  remove: async ({ email }, { actor }) => as(actor).remove(email),
  reset: async ({ email }, { actor }) => as(actor).reset(email),
  setup: async (_, { actor }) => as(actor).setup(),
})
