/** What became of one try. */
export interface TryResult {
  /** The answer's status; null where none came, and for e-mail. */
  status: number | null
  /** Why it failed; null where it did not. */
  error: string | null
  /** How long the receiver asks to wait before the next try, in ms; undefined where it asks for nothing. */
  retryAfterMs?: number | undefined
}

/** Longest reason that is kept, in characters. */
const REASON_MOST = 300

/** Runs a try. Resolves with how long it took, too, and with a reason that can be stored: one line of bounded length. */
export async function timed(run: () => Promise<TryResult>): Promise<TryResult & { ms: number }> {
  const begun = performance.now()
  const { error, ...result } = await run()
  return { ...result, error: error && shortLine(error), ms: Math.round(performance.now() - begun) }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Surrogate}]+/gu

const shortLine = (text: string): string => {
  const line = text.replace(UNSHOWN, ' ').trim()
  return line.length > REASON_MOST ? `${line.slice(0, REASON_MOST - 1).replace(UNSHOWN, '')}…` : line
}
