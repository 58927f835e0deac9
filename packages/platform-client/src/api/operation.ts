export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a request's body is written: JSON, or `multipart/form-data` from a plain object. */
export type BodyKind = 'none' | 'json' | 'multipart'

/** How a good answer is read: parsed by its content type, as text whatever its type is, or not at all. */
export type AnswerKind = 'json' | 'text' | 'none'

/** What the table says of an operation. */
export interface OperationRow {
  readonly method: HttpMethod
  /** With `{name}` for each path parameter, in the order of the method's arguments. */
  readonly path: string
  /** Names of the query's parameters. Default none. */
  readonly query?: readonly string[]
  /** Default `none`. */
  readonly body?: BodyKind
  /** Default `json`. */
  readonly answer?: AnswerKind
  /** `none`: no authorisation header is sent. Default `bearer`. */
  readonly auth?: 'none'
  readonly deprecated?: true
  /** The method that walks through all pages of this list, item by item. */
  readonly pages?: string
  /** The method that streams the answer as server-sent events. */
  readonly stream?: string
  /** The platform streams unless it is told not to. */
  readonly streamsByDefault?: true
}

/** One operation of the platform's REST API, as data. */
export interface Operation {
  /** The property of the client that has the operation, in the plural: `calls`; `testSuites.runs` is a resource of a resource. */
  readonly resource: string
  /** The method on it: `create`. */
  readonly name: string
  readonly method: HttpMethod
  /** With `{name}` for each path parameter, in the order of the method's arguments. */
  readonly path: string
  /** Names of the query's parameters. */
  readonly query: readonly string[]
  readonly body: BodyKind
  readonly answer: AnswerKind
  /** `none`: no authorisation header is sent. */
  readonly auth: 'bearer' | 'none'
  readonly deprecated: boolean
  /** The method that walks through all pages of this list, item by item. */
  readonly pages?: string
  /** The method that streams the answer as server-sent events. */
  readonly stream?: string
  /** The platform streams unless it is told not to. */
  readonly streamsByDefault?: true
}
