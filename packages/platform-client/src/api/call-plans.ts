import type { AnalysisPlan } from './analysis-plan.js'
import type { ArtifactPlan } from './artifact.js'
import type { AssistantHook } from './assistant-hook.js'
import type { BackgroundSpeechDenoisingPlan } from './background-speech-denoising-plan.js'
import type { CompliancePlan } from './compliance-plan.js'
import type { CreateCredential } from './credential.js'
import type { KeypadInputPlan } from './keypad-input-plan.js'
import type { MonitorPlan } from './monitor-plan.js'
import type { ObservabilityPlan } from './observability-plan.js'
import type { OpenString } from './open-string.js'
import type { Server } from './server.js'
import type { StartSpeakingPlan } from './start-speaking-plan.js'
import type { StopSpeakingPlan } from './stop-speaking-plan.js'
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
