import type { Operation } from '../api/operation.js'

/** What a request needs of an operation: any operation of the platform can be named so, also one that has no row in the table. */
export type RequestOperation = Pick<Operation, 'method' | 'path'> &
  Partial<Pick<Operation, 'body' | 'answer' | 'auth'>>

/** What goes out with a request. */
export interface RequestInput {
  /** Values of the path's parameters, by name. */
  path?: Readonly<Record<string, string | number>>
  /** Arrays repeat the name; a `Date` becomes ISO 8601, another object JSON; `undefined` and `null` are left out. */
  query?: object | undefined
  /** Sent as JSON, or as the parts of a form when the operation's body is `multipart`; left out when undefined. */
  body?: unknown
}

/** Options of one request. */
export interface RequestOptions {
  /** Gives up on the request; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Bound of this request in place of the client's, in milliseconds (1 – 2,147,483,647). */
  timeoutMs?: number | undefined
}
