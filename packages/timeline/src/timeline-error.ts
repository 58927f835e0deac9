/** Why the timeline could not be read as asked. */
export type TimelineErrorCode =
  | 'invalid_event_id'
  | 'event_not_found'
  | 'several_events'
  | 'timeline_unreachable'

/** What an operator asked for and can't have. The message says what is wrong and what to do. */
export class TimelineError extends Error {
  override readonly name = 'TimelineError'
  readonly code: TimelineErrorCode

  constructor(code: TimelineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
