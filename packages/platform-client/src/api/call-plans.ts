import type { AnalysisPlan } from './analysis-plan.js'
import type { ArtifactPlan } from './artifact.js'
import type { AssistantHook } from './assistant-hook.js'
import type { CreateCredential } from './credential.js'
import type { OpenString } from './open-string.js'
import type { CompliancePlan } from './org.js'
import type { Server } from './server.js'
import type { StartSpeakingPlan, StopSpeakingPlan } from './speaking-plans.js'
import type { Transcriber } from './transcriber.js'
import type { Voice } from './voice.js'
import type { VoicemailDetection } from './voicemail-detection.js'

/** What an assistant and a workflow both say of their calls. The platform has a default for each. */
export interface CallPlans {
  voice?: Voice
  transcriber?: Transcriber
  /** Gets the server messages. Default: the phone number's, or else the organisation's. */
  server?: Server
  analysisPlan?: AnalysisPlan
  artifactPlan?: ArtifactPlan
  compliancePlan?: CompliancePlan
  startSpeakingPlan?: StartSpeakingPlan
  stopSpeakingPlan?: StopSpeakingPlan
  monitorPlan?: MonitorPlan
  backgroundSpeechDenoisingPlan?: BackgroundSpeechDenoisingPlan
  observabilityPlan?: ObservabilityPlan
  keypadInputPlan?: KeypadInputPlan
  hooks?: AssistantHook[]
  /** `off`, `office`, or the address of an audio file. Default `office` for phone calls and `off` for web calls. */
  backgroundSound?: OpenString<'off' | 'office'>
  voicemailDetection?: VoicemailDetection
  /** Left on a machine that answers, at most 1000 characters. Not set: the call ends without a word. */
  voicemailMessage?: string
  /** The only stored credentials that calls may use. Default all. */
  credentialIds?: string[]
  /** Credentials for these calls, before the stored ones. */
  credentials?: CreateCredential[]
}

/** What is taken out of the customer's sound. Both may be on; the second then comes after the first. */
export interface BackgroundSpeechDenoisingPlan {
  /** Krisp's filter. Default off. */
  smartDenoisingPlan?: { enabled?: boolean }
  fourierDenoisingPlan?: FourierDenoisingPlan
}

/** A filter by loudness; experimental. */
export interface FourierDenoisingPlan {
  /** Default false. */
  enabled?: boolean
  /** Filters harder while a television, music or a radio is heard. Default true. */
  mediaDetectionEnabled?: boolean
  /** Decibels, -80–0, while there is no baseline. Default -35. */
  staticThreshold?: number
  /** Decibels below the baseline, -30 to -5. Default -15. */
  baselineOffsetDb?: number
  /** Milliseconds that the baseline comes from, 1000–30,000. Default 3000. */
  windowSizeMs?: number
  /** 1–99. Default 85. */
  baselinePercentile?: number
}

/** What becomes of the keys that a caller presses. */
export interface KeypadInputPlan {
  /** Default false. */
  enabled?: boolean
  /** Seconds to wait before the keys so far are taken, 0–10. Default 2. */
  timeoutSeconds?: number
  /** A key that ends the input at once; the empty text for none. */
  delimiters?: KeypadDelimiter | KeypadDelimiter[]
}

export type KeypadDelimiter = '#' | '*' | ''

/** Who may listen to and steer a running call, at the addresses in `call.monitor`. */
export interface MonitorPlan {
  /** Default true. */
  listenEnabled?: boolean
  /** `listenUrl` asks for a bearer header with the public key. Default false. */
  listenAuthenticationEnabled?: boolean
  /** Default true. */
  controlEnabled?: boolean
  /** `controlUrl` asks for a bearer header with the public key. Default false. */
  controlAuthenticationEnabled?: boolean
  /** Stored monitors that watch the calls. */
  monitorIds?: string[]
}

/** Traces of calls, sent to Langfuse. */
export interface ObservabilityPlan {
  provider: 'langfuse'
  tags: string[]
  metadata?: Record<string, unknown>
}
