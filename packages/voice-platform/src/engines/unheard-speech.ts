const MARKER = /^\[unintelligible speech, \d+\.\d s\]$/

/**
 * What stands in a conversation for speech whose words are not known: `[unintelligible speech, 1.2 s]`.
 * The session writes it as the caller's line, so that every model can see that somebody spoke.
 */
export const unheardSpeech = (durationMs: number): string =>
  `[unintelligible speech, ${(durationMs / 1000).toFixed(1)} s]`

export const isUnheardSpeech = (content: string): boolean => MARKER.test(content)
