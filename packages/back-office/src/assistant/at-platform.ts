import { NotFoundError, RequestError, ValidationError } from '@heyline/platform-client'
import { OperatorsError } from '../operators/operators-error.js'

/** Asks the voice platform about the assistant. What it refuses is an `OperatorsError` that says what to do. */
export async function atPlatform<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof NotFoundError)
      throw new OperatorsError(
        'assistant_not_found',
        'The platform has no such assistant: set PLATFORM_ASSISTANT_ID to one that it has, and start again',
        { cause },
      )
    if (cause instanceof ValidationError)
      throw new OperatorsError('assistant_refused', `The platform refuses this: ${cause.message}`, { cause })
    if (cause instanceof RequestError)
      throw new OperatorsError(
        'platform_unreachable',
        'The voice platform did not do it: look at Settings, then try again',
        { cause },
      )
    throw cause
  }
}
