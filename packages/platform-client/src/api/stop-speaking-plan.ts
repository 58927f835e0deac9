/** When the assistant stops because the customer speaks (barge-in). */
export interface StopSpeakingPlan {
  /** Words that the customer must say first, 0–10. Default 0: the sound of a voice is enough, see `voiceSeconds`. */
  numWords?: number
  /** Seconds of voice that interrupt while `numWords` is 0: 0–0.5. Default 0.2. */
  voiceSeconds?: number
  /** Seconds until the assistant may speak again, 0–10. Default 1. */
  backoffSeconds?: number
  /** These never interrupt. Default some twenty, such as "okay" and "i see". */
  acknowledgementPhrases?: string[]
  /** These interrupt at once. Default some twenty, such as "stop" and "wait". */
  interruptionPhrases?: string[]
}
