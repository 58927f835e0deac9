import type { TranscriptPlan } from '@heyline/platform-client'
import type { SessionMessage } from '../session/session.js'

/** A conversation as the platform writes it: `AI: …` and `User: …`, one line a turn. Empty where the plan wants no transcript. */
export function transcriptOf(messages: readonly SessionMessage[], plan: TranscriptPlan = {}): string {
  if (plan.enabled === false) return ''
  const speakers = { bot: plan.assistantName ?? 'AI', user: plan.userName ?? 'User' }
  const lines = messages.flatMap(({ role, message }) =>
    role === 'system' ? [] : [`${speakers[role]}: ${message}`],
  )
  return lines.join('\n')
}

/** Replaces the characters that Postgres refuses (NUL, half a surrogate pair) with U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd')
}
