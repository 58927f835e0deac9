import type { StartSpeaking, StopSpeaking } from './session.js'

/** The platform's defaults of `startSpeakingPlan`. */
export const START_SPEAKING: Readonly<StartSpeaking> = {
  waitSeconds: 0.4,
  onPunctuationSeconds: 0.1,
  onNoPunctuationSeconds: 1.5,
  onNumberSeconds: 0.5,
}

/** The platform's defaults of `stopSpeakingPlan`. */
export const STOP_SPEAKING: Readonly<StopSpeaking> = { numWords: 0, voiceSeconds: 0.2, backoffSeconds: 1 }
