export type * from './api/artifact.js'
export type * from './api/assistant.js'
export type * from './api/call.js'
export type * from './api/customer.js'
export type * from './api/list-query.js'
export type * from './api/model.js'
export type * from './api/open-string.js'
export type * from './api/server.js'
export type * from './api/server-message.js'
export { ConnectionError } from './errors/connection-error.js'
export { InvalidRequestError } from './errors/invalid-request-error.js'
export {
  AuthenticationError,
  NotFoundError,
  PlatformError,
  type PlatformErrorDetails,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors/platform-error.js'
export { RequestError, type RequestErrorContext } from './errors/request-error.js'
export { TimeoutError } from './errors/timeout-error.js'
export type { HttpMethod, Operation } from './operations/operation.js'
export { operations } from './operations/operations.js'
export type { ResourceName, Resources } from './operations/resources.js'
export { DEFAULT_BASE_URL, PlatformClient, type PlatformClientOptions } from './platform-client.js'
export type { RequestOptions } from './request/request-options.js'
export type { RequestInput, RequestOperation } from './request/send.js'
