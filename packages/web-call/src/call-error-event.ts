import { type Clock, timestampOf } from './clock.js'
import { errorDetails, errorText } from './error-details.js'
import { MicrophoneError } from './rooms/socket/microphone.js'
import type { CallErrorEvent } from './web-call-events.js'

/** The payload of `error` for whatever was thrown. A microphone's fault is told as one, wherever it shows. */
export function callErrorEvent(
  type: CallErrorEvent['type'],
  stage: CallErrorEvent['stage'],
  thrown: unknown,
  clock: Clock,
): CallErrorEvent {
  return {
    type,
    stage,
    message: errorText(thrown),
    error: errorDetails(thrown),
    ...(thrown instanceof MicrophoneError && { type: 'microphone-error', reason: thrown.reason }),
    timestamp: timestampOf(clock),
  }
}
