import type { OtherVoice, ProviderVoice } from './provider-voice.js'

/** Voices to go on with when the first one fails, in order. */
export interface VoiceFallbackPlan {
  voices: (ProviderVoice | OtherVoice)[]
}

/** How the assistant sounds: the settings of one provider, and the voices behind it. */
export type Voice = (ProviderVoice | OtherVoice) & { fallbackPlan?: VoiceFallbackPlan }
