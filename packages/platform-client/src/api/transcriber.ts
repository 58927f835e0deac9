import type { OtherTranscriber, ProviderTranscriber } from './provider-transcriber.js'

/** Transcribers to go on with when the first one fails, in order. */
export interface TranscriberFallbackPlan {
  transcribers: (ProviderTranscriber | OtherTranscriber)[]
}

/** What writes down the customer's words: the settings of one provider, and the transcribers behind it. */
export type Transcriber = (ProviderTranscriber | OtherTranscriber) & {
  fallbackPlan?: TranscriberFallbackPlan
}
