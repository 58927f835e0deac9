import type { SummaryPlan } from './analysis-plan.js'
import type { OpenString } from './open-string.js'
import type { CustomMessage } from './spoken-message.js'

/** How a call is handed to another number, and what is said there before. */
export interface TransferPlan {
  /** Default `blind-transfer`. */
  mode: OpenString<
    | 'blind-transfer'
    | 'blind-transfer-add-summary-to-sip-header'
    | 'warm-transfer-say-message'
    | 'warm-transfer-say-summary'
    | 'warm-transfer-twiml'
    | 'warm-transfer-wait-for-operator-to-speak-first-and-then-say-message'
    | 'warm-transfer-wait-for-operator-to-speak-first-and-then-say-summary'
    | 'warm-transfer-experimental'
  >
  /** Said to the destination before the customer is connected, in the modes that say a message. */
  message?: string | CustomMessage
  /** Seconds that the modes which wait for the operator wait, 1–600. Default 60. */
  timeout?: number
  /** Default `refer`. */
  sipVerb?: 'refer' | 'bye' | 'dial'
  /** Played to the customer meanwhile; `warm-transfer-experimental` only. */
  holdAudioUrl?: string
  /** Played after the message or summary; `warm-transfer-experimental` only. */
  transferCompleteAudioUrl?: string
  /** Run on the destination's leg; `warm-transfer-twiml` only. At most 4096 characters. */
  twiml?: string
  /** How the summary is made, in the modes that say or send one. */
  summaryPlan?: SummaryPlan
  /** The destination's SIP headers go into the address of the REFER too. Default false. */
  sipHeadersInReferToEnabled?: boolean
  /** When nobody, or a machine, answers; `warm-transfer-experimental` only. */
  fallbackPlan?: TransferFallbackPlan
}

/** What happens when a transfer fails. */
export interface TransferFallbackPlan {
  /** Said to the customer. */
  message: string | CustomMessage
  /** The call ends after the message. Default true. */
  endCallEnabled?: boolean
}
