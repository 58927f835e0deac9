import type { SessionOptions } from './session.js'

/** The end of a call is on its way to the carrier so long before the carrier bills one more minute. In milliseconds. */
const HANG_UP_MS = 1_500

/** How long a session may last, in milliseconds. Where a carrier bills the call, the time since its answer counts. */
export function longestMs({
  assistant,
  answeredMsAgo,
}: Pick<SessionOptions, 'assistant' | 'answeredMsAgo'>): number {
  const longest = assistant.maxDurationSeconds * 1000
  return answeredMsAgo === undefined ? longest : Math.max(0, longest - answeredMsAgo - HANG_UP_MS)
}
