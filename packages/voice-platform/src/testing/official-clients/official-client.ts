import type { Declared } from './client-types.js'

/** What an operation is given: ids by their names in its path, and a query or a body. */
export interface Given {
  path?: Readonly<Record<string, string>>
  query?: object
  body?: object
}

/** A client of the platform's API, as scenarios use it: by operations (`GET /assistant/{id}`), whatever its own methods are called. */
export interface OfficialClient {
  readonly name: string
  /** The class that its package declares. */
  readonly declared: Declared
  /** The client's own method, dotted (`assistants.get`); undefined where it has none for this operation. */
  methodAt(operation: string): string | undefined
  /** Resolves with what the client's own method gives; rejects with the client's own error. */
  send(operation: string, given: Given): Promise<unknown>
  /** The same with the events of a streamed answer; left out where the client cannot stream. */
  stream?(operation: string, given: Given): Promise<unknown[]>
  /** The text of an answer that is no JSON, where `send` gives none. */
  text?(operation: string, given: Given): Promise<unknown>
  /** What the client's error shows its user; undefined for any other error. */
  refusalIn(error: unknown): Promise<Refusal | undefined>
}

/** An error as a client shows it. */
export interface Refusal {
  status: number
  message: string
}

/** The method at a dotted name. Throws where the client has none: its table is wrong. */
export function methodOf(client: object, name: string): (...given: unknown[]) => Promise<unknown> {
  let owner: unknown
  let found: unknown = client
  for (const part of name.split('.')) {
    owner = found
    found = found instanceof Object ? Reflect.get(found, part) : undefined
  }
  if (typeof found !== 'function') throw new Error(`The client has no method ${name}.`)
  const method = found
  return async (...given) => await Reflect.apply(method, owner, given)
}

/** The values of a path's parameters, in its order. */
export const idsOf = (operation: string, { path = {} }: Given): string[] =>
  Array.from(operation.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
    const id = path[name]
    if (id === undefined) throw new Error(`${operation} needs ${name}.`)
    return id
  })
