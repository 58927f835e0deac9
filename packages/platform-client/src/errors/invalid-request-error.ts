import { RequestError } from './request-error.js'

/** The request could not be built and was not sent: `invalid_path_parameter`, `invalid_query`, `invalid_body`. */
export class InvalidRequestError extends RequestError {
  override readonly name = 'InvalidRequestError'
}
