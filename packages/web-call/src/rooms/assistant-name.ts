/**
 * Name of the assistant's participant. Daily rooms of the platform use it, so the socket room does too; the helper answers
 * `playable` to the participant of this name only.
 */
export const ASSISTANT_NAME = 'Vapi Speaker'
