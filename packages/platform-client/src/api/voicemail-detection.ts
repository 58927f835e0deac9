/** How often a detector listens for a machine. */
export interface VoicemailDetectionBackoffPlan {
  /** Seconds before the first try, at least 0. Default 5. */
  startAtSeconds?: number
  /** Seconds between tries, at least 2.5. Default 5. */
  frequencySeconds?: number
  /** 1–10. Default 6. */
  maxRetries?: number
}

/** A model that hears whether a machine has answered. */
export interface ModelVoicemailDetection {
  provider: 'google' | 'openai' | 'vapi'
  /** Seconds from the start of the call to wait for the beep before the message is left, 0–30. Default 30. */
  beepMaxAwaitSeconds?: number
  backoffPlan?: VoicemailDetectionBackoffPlan
}

/** Twilio's detection of answering machines. */
export interface TwilioVoicemailDetection {
  provider: 'twilio'
  /** Default true. */
  enabled?: boolean
  /** Answers of Twilio's that count as a machine. Default `machine_end_beep` and `machine_end_silence`. */
  voicemailDetectionTypes?: TwilioAnswer[]
  /** Seconds, 3–59. Default 30. */
  machineDetectionTimeout?: number
  /** Speech longer than this is a machine's: milliseconds, 1000–6000. Default 2400. */
  machineDetectionSpeechThreshold?: number
  /** Silence that ends the speech: milliseconds, 500–5000. Default 1200. */
  machineDetectionSpeechEndThreshold?: number
  /** Silence at the start after which the answer is unknown: milliseconds, 2000–10,000. Default 5000. */
  machineDetectionSilenceTimeout?: number
}

/** Who Twilio says has answered. */
export type TwilioAnswer =
  | 'machine_start'
  | 'human'
  | 'fax'
  | 'unknown'
  | 'machine_end_beep'
  | 'machine_end_silence'
  | 'machine_end_other'

/** How a machine that answers is found out; `off` for not at all. */
export type VoicemailDetection = ModelVoicemailDetection | TwilioVoicemailDetection | 'off'
