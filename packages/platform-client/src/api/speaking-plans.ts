import type { OpenString } from './open-string.js'
import type { RegexOption } from './regex-option.js'
import type { Server } from './server.js'

/** A model that hears from the words whether the customer has finished. */
export interface SmartEndpointingPlan {
  /** `livekit` is for English. */
  provider: OpenString<'vapi' | 'livekit' | 'custom-endpointing-model'>
  /** `custom-endpointing-model` only: answers `call.endpointing.request` messages with a pause. */
  server?: Server
  /** `livekit` only: milliseconds to wait, as a function of `x`, the probability (0–1) that the customer still speaks. Default `20 + 500 * sqrt(x) + 2500 * x^3`. */
  waitFunction?: string
}

/** Pauses after which the customer's words count as finished, by how the transcript ends. */
export interface TranscriptionEndpointingPlan {
  /** Seconds, 0–3. Default 0.1. */
  onPunctuationSeconds?: number
  /** Seconds, 0–3. Default 1.5. */
  onNoPunctuationSeconds?: number
  /** Seconds, 0–3. Default 0.5. */
  onNumberSeconds?: number
}

/** Another pause, where the assistant's last message (`assistant`) or the customer's words so far (`customer`) match. */
export interface OneSidedEndpointingRule {
  type: 'assistant' | 'customer'
  /** As `new RegExp` takes it. */
  regex: string
  regexOptions?: RegexOption[]
  /** Seconds, 0–15. */
  timeoutSeconds: number
}

/** Another pause, where both sides match. */
export interface TwoSidedEndpointingRule {
  type: 'both'
  assistantRegex: string
  assistantRegexOptions?: RegexOption[]
  customerRegex: string
  customerRegexOptions?: RegexOption[]
  /** Seconds, 0–15. */
  timeoutSeconds: number
}

/** When the assistant begins to speak. */
export interface StartSpeakingPlan {
  /** Least seconds before each of the assistant's turns, 0–5. Default 0.4. */
  waitSeconds?: number
  /** Used in place of `transcriptionEndpointingPlan`. Not set: the transcriber's own, where it has one. */
  smartEndpointingPlan?: SmartEndpointingPlan
  /** The first that matches wins over the other plans. Default none. */
  customEndpointingRules?: (OneSidedEndpointingRule | TwoSidedEndpointingRule)[]
  transcriptionEndpointingPlan?: TranscriptionEndpointingPlan
  /** @deprecated `smartEndpointingPlan` */
  smartEndpointingEnabled?: boolean | 'livekit'
}

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
