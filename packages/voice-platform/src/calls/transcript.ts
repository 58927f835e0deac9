import type { SessionMessage } from '../session/session.js'

const SPEAKERS = { bot: 'AI', user: 'User' } as const

/** A conversation as the platform writes it down: `AI: …` and `User: …`, one line a turn. */
export function transcriptOf(messages: readonly SessionMessage[]): string {
  const lines = messages.flatMap(({ role, message }) =>
    role === 'system' ? [] : [`${SPEAKERS[role]}: ${message}`],
  )
  return lines.join('\n')
}
