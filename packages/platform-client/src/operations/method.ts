import type { RequestOptions } from '../request/request-options.js'

/** The ids, in path order. */
type Ids<T> = T extends { path: infer Path extends readonly string[] } ? Path : []

/** The body, or the query (which may be left out). */
type Input<T> = T extends { body: infer Body }
  ? [body: Body]
  : T extends { query: infer Query }
    ? [query?: Query]
    : []

/** One form of a method. */
type Form<T> = T extends { returns: infer Returns }
  ? (...input: [...ids: Ids<T>, ...input: Input<T>, options?: RequestOptions]) => Promise<Returns>
  : never

/** Turns a union of forms into their overloads. */
type Overloads<Forms> = (Forms extends unknown ? (form: Forms) => void : never) extends (
  form: infer All,
) => void
  ? All
  : never

/** The method of an operation with these types; a union of types gives one overload for each. */
export type Method<Types> = Overloads<Types extends unknown ? Form<Types> : never>
