import type { Asked } from '../access/asked.js'
import type { Operator } from '../access/operator-access.js'
import type { ApiKeys } from '../api-keys/api-keys.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

/** An operator's own keys; who comes with one of them sees and ends that one alone. `keys` throws where there can be no operators. */
export const apiKeyHandlers = (keys: () => ApiKeys): HandlersOf<'apiKeys'> => ({
  list: async (_, asked) => {
    const own = await keys().list(ownerOf(asked).userId)
    return asked.keyId === undefined ? own : own.filter(({ id }) => id === asked.keyId)
  },
  async add(given, asked) {
    const { userId, role } = ownerOf(asked)
    const made = await keys().add({ userId, role }, given)
    // A reset ends the sessions, then the keys. One that was made in between is shown to nobody.
    await asked.check().catch(async (error: unknown) => {
      await keys()
        .revoke(userId, made.id)
        .catch(() => undefined)
      throw error
    })
    return made
  },
  revoke: async ({ id }, asked) => {
    if (asked.keyId !== undefined && asked.keyId !== id.toLowerCase())
      throw new OperatorsError(
        'forbidden',
        'An API key may revoke itself only: sign in to the console for the others',
      )
    return keys().revoke(ownerOf(asked).userId, id)
  },
})

function ownerOf({ operator }: Asked): Operator {
  if (operator) return operator
  throw new OperatorsError('invalid_request', 'The secret key is no operator, and has no API keys')
}
