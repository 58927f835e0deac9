import type { EndpointingRule } from './endpointing-rules.js'

/** When a pause of the caller ends the caller's turn (`startSpeakingPlan`), in seconds of silence. */
export interface StartSpeaking {
  /** Least silence before the assistant speaks, 0–5. */
  waitSeconds: number
  /** Silence that ends a turn whose words end with a full stop, 0–3. */
  onPunctuationSeconds: number
  /** … with a word, 0–3. */
  onNoPunctuationSeconds: number
  /** … with a number, 0–3. */
  onNumberSeconds: number
  /** The first of these that holds says how much silence ends a turn, whatever the others say. */
  rules?: readonly EndpointingRule[]
  /** Before the last three, the words themselves say whether they are over (`sentence-ends.ts`). */
  readsWords?: boolean
}

/** When the caller interrupts the assistant (`stopSpeakingPlan`). */
export interface StopSpeaking {
  /** Words that interrupt, 0–10. With 0 the sound of a voice does. */
  numWords: number
  /** Seconds of voice that interrupt while `numWords` is 0: 0–0.5. */
  voiceSeconds: number
  /** Seconds from an interruption until the assistant may speak again, 0–10. */
  backoffSeconds: number
  /** With `numWords`: whoever says only these interrupts nobody, however many words they are. The platform's own where they are left out. */
  acknowledgementPhrases?: readonly string[]
  /** With `numWords`: whoever says one of these interrupts, with however few words. */
  interruptionPhrases?: readonly string[]
}

/** The platform's defaults of `startSpeakingPlan`. */
export const START_SPEAKING: Readonly<StartSpeaking> = {
  waitSeconds: 0.4,
  onPunctuationSeconds: 0.1,
  onNoPunctuationSeconds: 1.5,
  onNumberSeconds: 0.5,
}

/** The platform's defaults of `stopSpeakingPlan`. */
export const STOP_SPEAKING: Readonly<StopSpeaking> = { numWords: 0, voiceSeconds: 0.2, backoffSeconds: 1 }

/** What happens with the keys that the caller presses (`keypadInputPlan`, if it is enabled). */
export interface KeypadInput {
  /** Seconds after the last key until the keys so far are taken, 0–10. With 0 only a delimiter ends them, if there is one. */
  timeoutSeconds: number
  /** Keys that end the input at once: `#`, `*`. */
  delimiters: readonly string[]
}
