import type { Asked } from '../access/asked.js'
import type { Operator } from '../access/operator-access.js'
import type { ApiKeys } from '../api-keys/api-keys.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

/** An operator's own keys. `keys` throws where there can be no operators. */
export const apiKeyHandlers = (keys: () => ApiKeys): HandlersOf<'apiKeys'> => ({
  list: async (_, asked) => keys().list(ownerOf(asked).userId),
  add: async (given, asked) => keys().add(ownerOf(asked), given),
  revoke: async ({ id }, asked) => keys().revoke(ownerOf(asked).userId, id),
})

function ownerOf({ operator }: Asked): Operator {
  if (operator) return operator
  throw new OperatorsError('invalid_request', 'The secret key is no operator, and has no API keys')
}
