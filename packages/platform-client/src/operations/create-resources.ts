import type { RequestOptions } from '../request/request-options.js'
import type { Send } from '../request/send.js'
import type { Operation } from './operation.js'
import { operations } from './operations.js'
import { pathParameters } from './path.js'
import type { Resources } from './resources.js'

type AnyMethod = (...input: unknown[]) => Promise<unknown>

/** Sorts a method's arguments into ids, body or query, and options. */
function createMethod(send: Send, operation: Operation): AnyMethod {
  const ids = pathParameters(operation.path)
  const takesBody = operation.body !== 'none'
  const takesQuery = !takesBody && operation.query.length > 0
  return (...given) => {
    const path = Object.fromEntries(ids.map((name, index) => [name, given[index] as string]))
    const input = takesBody || takesQuery ? given[ids.length] : undefined
    const options = given[ids.length + (takesBody || takesQuery ? 1 : 0)]
    return send(
      operation,
      { path, ...(takesBody ? { body: input } : {}), ...(takesQuery ? { query: input as object } : {}) },
      options as RequestOptions | undefined,
    )
  }
}

/** Makes the client's methods from the table of operations. */
export function createResources(send: Send): Resources {
  const resources: Record<string, Record<string, AnyMethod>> = {}
  for (const operation of operations) {
    resources[operation.resource] = {
      ...resources[operation.resource],
      [operation.name]: createMethod(send, operation),
    }
  }
  // The rows' names are checked against the types where the table is; what the wire answers is the platform's promise.
  return resources as Resources
}
