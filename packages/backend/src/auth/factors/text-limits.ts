import { hasCome } from '@heyline/kit/stored-time'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long a text is counted, in ms. */
export const LONGEST_WINDOW_MS = DAY

/** A text of the last day. */
export interface SentText {
  user_id: string
  phone_hash: string
  sent_at: Date
  /** It was not sent after all. */
  failed: boolean
  /** It was asked for with the password alone, at a place that the account doesn't know. */
  is_strangers: boolean
}

interface Limit {
  /** What is counted together; `strangers`: what they ask for in the name of the account, which holds for them alone. */
  of: 'user' | 'strangers' | 'phone' | 'installation'
  withinMs: number
  most: number
  /** Counts those that could not be sent in place of those that were. */
  failed?: true
}

/** Each text costs money and rings somebody's phone. */
const LIMITS: readonly Limit[] = [
  { of: 'user', withinMs: 30_000, most: 1 },
  { of: 'user', withinMs: HOUR, most: 5 },
  { of: 'user', withinMs: DAY, most: 10 },
  { of: 'user', withinMs: HOUR, most: 10, failed: true },
  { of: 'strangers', withinMs: HOUR, most: 2 },
  { of: 'strangers', withinMs: DAY, most: 4 },
  { of: 'strangers', withinMs: HOUR, most: 4, failed: true },
  { of: 'phone', withinMs: HOUR, most: 5 },
  { of: 'phone', withinMs: DAY, most: 10 },
  { of: 'installation', withinMs: DAY, most: 100 },
]

/** How long the next text to this number has to wait, in ms; 0 when it may go now. `texts`: those of the last day. */
export function waitForText(
  texts: readonly SentText[],
  {
    userId,
    phoneHash,
    isStranger,
    now,
  }: { userId: string; phoneHash: string; isStranger: boolean; now: number },
): number {
  const counted: Record<Limit['of'], (text: SentText) => boolean> = {
    user: (text) => text.user_id === userId,
    strangers: (text) => isStranger && text.is_strangers && text.user_id === userId,
    phone: (text) => text.phone_hash === phoneHash,
    installation: () => true,
  }
  const waits = LIMITS.map(({ of, withinMs, most, failed = false }) => {
    const times = texts
      .filter((text) => text.failed === failed && counted[of](text))
      .map(({ sent_at }) => sent_at.getTime())
      .filter((sentAt) => hasCome(sentAt, now))
      .sort((a, b) => b - a)
    const oldest = times[most - 1]
    return oldest === undefined ? 0 : oldest + withinMs - now
  })
  return Math.max(0, ...waits)
}
