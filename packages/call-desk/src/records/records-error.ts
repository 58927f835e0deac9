/** Why the records could not be read or changed as asked. */
export type RecordsErrorCode =
  | 'invalid_request'
  | 'invalid_phone'
  | 'invalid_id'
  | 'call_not_found'
  | 'several_calls'
  | 'slug_not_called'
  | 'not_listed'
  | 'call_running'
  | 'hiding_broken_off'
  | 'call_over'
  | 'not_a_phone_call'
  | 'visitor_gone'
  | 'desk_off'
  | 'key_used'
  | 'too_many_streams'
  | 'platform_unreachable'
  | 'too_large'
  | 'calls_unreachable'

/** What an operator asked for and can't have. The message says what is wrong and what to do; it holds no number. */
export class RecordsError extends Error {
  override readonly name = 'RecordsError'
  readonly code: RecordsErrorCode

  constructor(code: RecordsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
