import type { TranscriptPlan } from '@heyline/platform-client'
import type { SessionMessage } from '../session/session.js'

/** A conversation as the platform writes it: `AI: …` and `User: …`, one line a turn. Empty where the plan wants no transcript. */
export function transcriptOf(messages: readonly SessionMessage[], plan?: TranscriptPlan): string {
  const lines = messages.flatMap((line) => {
    const speaker = speakerOf(line, plan)
    return speaker === undefined ? [] : [`${speaker}: ${line.message}`]
  })
  return lines.join('\n')
}

/** Who says a line, as the plan names them. Undefined where it is not in the transcript. */
export function speakerOf({ role }: SessionMessage, plan: TranscriptPlan = {}): string | undefined {
  if (plan.enabled === false || (role !== 'bot' && role !== 'user')) return undefined
  return role === 'bot' ? (plan.assistantName ?? 'AI') : (plan.userName ?? 'User')
}

/** Lines as every database can store them. */
export const storable = (messages: readonly SessionMessage[]): SessionMessage[] =>
  messages.map((line) => ({
    ...line,
    message: storableText(line.message),
    ...(line.result !== undefined && { result: storableText(line.result) }),
  }))

/** Replaces the characters that Postgres refuses (NUL, half a surrogate pair) with U+FFFD. */
function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd')
}
