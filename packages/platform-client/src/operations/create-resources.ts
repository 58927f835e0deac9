import type { Operation } from '../api/operation.js'
import type { EventStream } from '../api/page.js'
import { pathParameters } from '../request/path.js'
import type { PlatformCore } from '../request/platform-core.js'
import type { RequestInput, RequestOperation, RequestOptions } from '../request/request-input.js'
import { operations } from './operations.js'
import { walkPages } from './pages.js'

/** What sends the requests of the methods. */
interface Sender extends Pick<PlatformCore, 'request'> {
  stream(operation: RequestOperation, input?: RequestInput, options?: RequestOptions): EventStream<unknown>
}

type AnyMethod = (...input: unknown[]) => unknown
type Arguments = readonly [input: RequestInput, options: RequestOptions | undefined]
type Methods = { [name: string]: AnyMethod | Methods }

/** Sorts a method's arguments into ids, body or query, and options. */
function readArguments(operation: Operation, given: unknown[]): Arguments {
  const ids = pathParameters(operation.path)
  const rest = given.slice(ids.length)
  const path = Object.fromEntries(ids.map((name, index) => [name, given[index] as string]))
  if (operation.body !== 'none') return [{ path, body: rest[0] }, rest[1] as RequestOptions]
  if (operation.query.length > 0) return [{ path, query: rest[0] as object }, rest[1] as RequestOptions]
  return [{ path }, rest[0] as RequestOptions]
}

/** A resource by its name in the table; `testSuites.runs` is found inside `testSuites`. */
function findResource(resources: Methods, name: string): Methods {
  return name.split('.').reduce((methods, part) => {
    methods[part] ??= {}
    return methods[part] as Methods
  }, resources)
}

/**
 * Makes the client's methods from the table of operations. Their types are `Resources`: the rows' names are checked against them where the
 * table is; what the wire answers is the platform's promise.
 */
export function createResources(client: Sender): object {
  const resources: Methods = {}
  for (const operation of operations) {
    const { name, pages, stream } = operation
    const methods = findResource(resources, operation.resource)
    const read = (given: unknown[]) => readArguments(operation, given)
    const withStream = ([input, options]: Arguments, streams: boolean): Arguments => [
      { ...input, body: { ...Object(input.body), stream: streams } },
      options,
    ]
    methods[name] = async (...given) =>
      client.request(
        operation,
        ...(operation.streamsByDefault ? withStream(read(given), false) : read(given)),
      )
    if (pages) methods[pages] = (...given) => walkPages(client, operation, ...read(given))
    if (stream) methods[stream] = (...given) => client.stream(operation, ...withStream(read(given), true))
  }
  return resources
}
