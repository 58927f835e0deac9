export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of the platform's REST API, as data. */
export interface Operation {
  /** The property of the client that has the operation, in the plural: `calls`. */
  readonly resource: string
  /** The method on it: `create`. */
  readonly name: string
  readonly method: HttpMethod
  /** With `{name}` for each path parameter, in the order of the method's arguments. */
  readonly path: string
  /** Names of the query's parameters. */
  readonly query: readonly string[]
  readonly body: 'none' | 'json'
  /** `none`: no authorisation header is sent. */
  readonly auth: 'bearer' | 'none'
  readonly deprecated: boolean
}
