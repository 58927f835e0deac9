import type { ChunkPlan } from './chunk-plan.js'
import type { OpenString } from './open-string.js'
import type { Server } from './server.js'

/** What a video avatar's provider is told of a conversation. */
export interface TavusConversation {
  /** Seconds. Default 3600. */
  maxCallDuration?: number
  /** Seconds after the last participant has left. */
  participantLeftTimeout?: number
  /** Seconds to wait for the first participant. Default 300. */
  participantAbsentTimeout?: number
  enableRecording?: boolean
  enableTranscription?: boolean
  /** The background is one green (0, 255, 155), to be made transparent. */
  applyGreenscreen?: boolean
  /** The language's full English name. */
  language?: string
  recordingS3BucketName?: string
  recordingS3BucketRegion?: string
  /** The role that may write to the bucket. */
  awsAssumeRoleArn?: string
}

interface VoiceSettings {
  /** Sentences that were spoken before are taken from a cache. Default true. */
  cachingEnabled?: boolean
  chunkPlan?: ChunkPlan
}

export interface AzureVoice extends VoiceSettings {
  provider: 'azure'
  voiceId: OpenString<'andrew' | 'brian' | 'emma'>
  /** 0.5–2. */
  speed?: number
}

export interface CartesiaVoice extends VoiceSettings {
  provider: 'cartesia'
  voiceId: string
  /** Default: the one that suits the voice. */
  model?: OpenString<'sonic-2' | 'sonic-english' | 'sonic-multilingual' | 'sonic-preview' | 'sonic'>
  /** Default: the voice's own. */
  language?: string
  experimentalControls?: {
    speed?: 'slowest' | 'slow' | 'normal' | 'fast' | 'fastest' | number
    /** An emotion and its strength, such as `positivity:high`. */
    emotion?: string | string[]
  }
}

/** A voice of the developer's own server, which answers `voice-request` messages with sound. */
export interface CustomVoice extends VoiceSettings {
  provider: 'custom-voice'
  server: Server
}

export interface DeepgramVoice extends VoiceSettings {
  provider: 'deepgram'
  voiceId: OpenString<'asteria' | 'luna' | 'stella' | 'athena' | 'hera' | 'orion' | 'thalia' | 'andromeda'>
  /** Default `aura-2`. */
  model?: OpenString<'aura' | 'aura-2'>
  /** Keeps the sound out of Deepgram's training; needs a key of your own. Default false. */
  mipOptOut?: boolean
}

export interface ElevenLabsVoice extends VoiceSettings {
  provider: '11labs'
  /** A known name, or the id of a voice in the account's library. */
  voiceId: OpenString<'burt' | 'marissa' | 'andrea' | 'sarah' | 'phillip' | 'steve' | 'joseph' | 'paula'>
  /** Default `eleven_turbo_v2`. */
  model?: OpenString<
    | 'eleven_multilingual_v2'
    | 'eleven_turbo_v2'
    | 'eleven_turbo_v2_5'
    | 'eleven_flash_v2'
    | 'eleven_flash_v2_5'
    | 'eleven_monolingual_v1'
  >
  /** ISO 639-1; `eleven_turbo_v2_5` only, other models refuse it. */
  language?: string
  /** 0–1. */
  stability?: number
  /** 0–1. */
  similarityBoost?: number
  /** 0–1. */
  style?: number
  useSpeakerBoost?: boolean
  /** 0.7–1.2. */
  speed?: number
  /** 0–4. Default 3. */
  optimizeStreamingLatency?: number
  /** Default false. */
  enableSsmlParsing?: boolean
  /** Default false. */
  autoMode?: boolean
}

export interface HumeVoice extends VoiceSettings {
  provider: 'hume'
  voiceId: string
  model?: OpenString<'octave'>
  isCustomHumeVoice?: boolean
  /** How the voice should sound, in words. */
  description?: string
}

export interface InworldVoice extends VoiceSettings {
  provider: 'inworld'
  voiceId: OpenString<'Alex' | 'Ashley' | 'Craig' | 'Deborah' | 'Dennis' | 'Edward' | 'Elizabeth'>
  /** Default `inworld-tts-1`. */
  model?: OpenString<'inworld-tts-1'>
  /** Default `en`. */
  languageCode?: OpenString<'en' | 'zh' | 'ko' | 'nl' | 'fr' | 'es' | 'ja' | 'de' | 'it' | 'pl' | 'pt'>
}

export interface LmntVoice extends VoiceSettings {
  provider: 'lmnt'
  voiceId: string
  /** 0.25–2. */
  speed?: number
  /** ISO 639-1, or `auto`. */
  language?: string
}

export interface NeuphonicVoice extends VoiceSettings {
  provider: 'neuphonic'
  voiceId: string
  /** ISO 639-1. */
  language: unknown
  /** Default `neu_fast`. */
  model?: OpenString<'neu_hq' | 'neu_fast'>
  /** 0.25–2. */
  speed?: number
}

export interface OpenAiVoice extends VoiceSettings {
  provider: 'openai'
  /** `ash`, `ballad`, `coral`, `sage` and `verse` are for realtime models only. */
  voiceId: OpenString<'alloy' | 'echo' | 'fable' | 'onyx' | 'nova' | 'shimmer'>
  model?: OpenString<'tts-1' | 'tts-1-hd' | 'gpt-4o-mini-tts'>
  /** How to speak, in words; not for `tts-1` and `tts-1-hd`. At most 10,000 characters. */
  instructions?: string
  /** 0.25–4. */
  speed?: number
}

export interface PlayHtVoice extends VoiceSettings {
  provider: 'playht'
  voiceId: OpenString<'jennifer' | 'melissa' | 'will' | 'chris' | 'matt' | 'jack' | 'ruby' | 'davis'>
  model?: OpenString<'PlayHT2.0' | 'PlayHT2.0-turbo' | 'Play3.0-mini' | 'PlayDialog'>
  /** The language's English name in lower case. */
  language?: string
  /** 0.1–5. */
  speed?: number
  /** 0.1–2. Default: the model's. */
  temperature?: number
  /** A voice and its mood, such as `female_happy`. */
  emotion?: string
  /** 1–6; less is less like the one voice. */
  voiceGuidance?: number
  /** 1–30; more is more emotion. */
  styleGuidance?: number
  /** 1–2; more is closer to the text. */
  textGuidance?: number
}

export interface RimeAiVoice extends VoiceSettings {
  provider: 'rime-ai'
  voiceId: string
  /** Default `v1`. */
  model?: OpenString<'v1' | 'mist' | 'mistv2'>
  /** At least 0.1. */
  speed?: number
  /** `<200>` in the text is a pause of 200 ms. */
  pauseBetweenBrackets?: boolean
  /** `{…}` in the text is phonetic. */
  phonemizeBetweenBrackets?: boolean
  reduceLatency?: boolean
  inlineSpeedAlpha?: string
}

export interface SesameVoice extends VoiceSettings {
  provider: 'sesame'
  /** A name of the platform's, or the id of a voice of your own. */
  voiceId: string
  model: OpenString<'csm-1b'>
}

export interface SmallestAiVoice extends VoiceSettings {
  provider: 'smallest-ai'
  voiceId: OpenString<'emily' | 'jasmine' | 'arman' | 'james' | 'mithali' | 'aravind' | 'raj'>
  /** Default `lightning`. */
  model?: OpenString<'lightning'>
  speed?: number
}

/** A video avatar, seen and heard in the room. */
export interface TavusVoice extends VoiceSettings {
  provider: 'tavus'
  /** The replica. */
  voiceId: OpenString<'r52da2535a'>
  personaId?: string
  /** Gets Tavus's own webhooks. */
  callbackUrl?: string
  conversationName?: string
  /** Comes after the persona's own context. */
  conversationalContext?: string
  customGreeting?: string
  properties?: TavusConversation
}

/** A voice of the platform's own. */
export interface VapiVoice extends VoiceSettings {
  provider: 'vapi'
  voiceId: OpenString<
    | 'Elliot'
    | 'Kylie'
    | 'Rohan'
    | 'Lily'
    | 'Savannah'
    | 'Hana'
    | 'Neha'
    | 'Cole'
    | 'Harry'
    | 'Paige'
    | 'Spencer'
  >
  /** 0.25–2. Default 1. */
  speed?: number
}

/** A voice of a provider whose settings are known. */
export type ProviderVoice =
  | AzureVoice
  | CartesiaVoice
  | CustomVoice
  | DeepgramVoice
  | ElevenLabsVoice
  | HumeVoice
  | InworldVoice
  | LmntVoice
  | NeuphonicVoice
  | OpenAiVoice
  | PlayHtVoice
  | RimeAiVoice
  | SesameVoice
  | SmallestAiVoice
  | TavusVoice
  | VapiVoice

/** A voice of any other provider, or with settings that came later: what voices have in common, and whatever else it takes. */
export interface OtherVoice extends VoiceSettings {
  provider: OpenString<ProviderVoice['provider'] | 'minimax' | 'wellsaid'>
  voiceId?: string
  model?: string
  /** A factor; 1 is the voice's own speed. */
  speed?: number
  [setting: string]: unknown
}

/** Voices to go on with when the first one fails, in order. */
export interface VoiceFallbackPlan {
  voices: (ProviderVoice | OtherVoice)[]
}

/** How the assistant sounds: the settings of one provider, and the voices behind it. */
export type Voice = (ProviderVoice | OtherVoice) & { fallbackPlan?: VoiceFallbackPlan }
