/** What went wrong at Twilio without telling whether a call was placed or ended. */
export type TwilioErrorCode = 'already_dialled' | 'connection_lost' | 'timeout' | 'unexpected_answer'

/** Twilio's answer is missing or unclear: the request may have taken effect. The message holds no phone number. */
export class TwilioError extends Error {
  override readonly name = 'TwilioError'
  readonly code: TwilioErrorCode

  constructor(code: TwilioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
