import type { TranscriptPlan } from '@heyline/platform-client'
import type { SessionMessage } from '../session/session.js'

/** A conversation as the platform writes it down: `AI: …` and `User: …`, one line a turn; empty where the plan wants none. */
export function transcriptOf(messages: readonly SessionMessage[], plan: TranscriptPlan = {}): string {
  if (plan.enabled === false) return ''
  const speakers = { bot: plan.assistantName ?? 'AI', user: plan.userName ?? 'User' }
  const lines = messages.flatMap(({ role, message }) =>
    role === 'system' ? [] : [`${speakers[role]}: ${message}`],
  )
  return lines.join('\n')
}

/** The text as every database stores it: characters that Postgres refuses (NUL, half a surrogate pair) become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd')
}
