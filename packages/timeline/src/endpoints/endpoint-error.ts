export type EndpointErrorCode =
  | 'endpoint_not_found'
  | 'too_many_endpoints'
  | 'invalid_target'
  | 'of_settings'
  | 'no_secret'
  | 'no_mail'

/** Why an endpoint could not be added, changed or used. The message is for whoever asked. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly code: EndpointErrorCode

  constructor(code: EndpointErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
