import type { OpenString } from './open-string.js'
import type { Server } from './server.js'

export interface AssemblyAiTranscriber {
  provider: 'assembly-ai'
  language?: OpenString<'en'>
  /** Words that are less certain are left out, 0–1. Default 0.4. */
  confidenceThreshold?: number
  /** Default false. The five settings that follow are for it only. */
  enableUniversalStreamingApi?: boolean
  /** Default false. */
  formatTurns?: boolean
  /** 0–1. Default 0.7. */
  endOfTurnConfidenceThreshold?: number
  /** Milliseconds, at least 0. Default 160. */
  minEndOfTurnSilenceWhenConfident?: number
  /** Milliseconds, at least 0. Default 160. */
  wordFinalizationMaxWaitTime?: number
  /** Milliseconds, at least 0. Default 400. */
  maxTurnSilence?: number
  /** Where the transcriber's socket is. */
  realtimeUrl?: string
  /** Words to expect; at most 2500 characters in all. */
  wordBoost?: string[]
  /** Milliseconds. */
  endUtteranceSilenceThreshold?: number
  /** Default false. */
  disablePartialTranscripts?: boolean
}

export interface AzureTranscriber {
  provider: 'azure'
  /** BCP 47, such as `en-US`. */
  language?: string
}

export interface CartesiaTranscriber {
  provider: 'cartesia'
  model?: OpenString<'ink-whisper'>
  /** ISO 639-1. */
  language?: string
}

/** A transcriber of the developer's own server: the platform opens a socket to it and sends sound. */
export interface CustomTranscriber {
  provider: 'custom-transcriber'
  server: Server
}

export interface DeepgramTranscriber {
  provider: 'deepgram'
  model?: OpenString<
    | 'nova-3'
    | 'nova-3-general'
    | 'nova-3-medical'
    | 'nova-2'
    | 'nova-2-general'
    | 'nova-2-meeting'
    | 'nova-2-phonecall'
    | 'nova-2-conversationalai'
  >
  /** Such as `en`, `de-CH`; `multi` for several at once. */
  language?: OpenString<'multi' | 'en' | 'en-US' | 'en-GB' | 'es' | 'fr' | 'de' | 'it' | 'pt' | 'hi' | 'ja'>
  /** Writes dates, times and the like as such. Default false. */
  smartFormat?: boolean
  /** Keeps the sound out of Deepgram's training; needs a key of your own. Default false. */
  mipOptOut?: boolean
  /** Writes numbers as digits. Default false. */
  numerals?: boolean
  /** Words that are less certain are left out, 0–1. Default 0.4. */
  confidenceThreshold?: number
  /** Words to expect, one each. */
  keywords?: string[]
  /** Phrases to expect. */
  keyterm?: string[]
  /** Milliseconds of silence after which words are sent, 10–500. Default 10. */
  endpointing?: number
}

export interface ElevenLabsTranscriber {
  provider: '11labs'
  model?: OpenString<'scribe_v1'>
  /** ISO 639-1. */
  language?: string
}

export interface GladiaTranscriber {
  provider: 'gladia'
  /** Default `fast`. */
  model?: OpenString<'fast' | 'accurate' | 'solaria-1'>
  /** Default `automatic single language`. */
  languageBehaviour?: 'manual' | 'automatic single language' | 'automatic multiple languages'
  /** ISO 639-1; for `manual`. */
  language?: string
  /** ISO 639-1. */
  languages?: string | string[]
  /** Words to expect, at most 600 characters. */
  transcriptionHint?: string
  /** Writes laughter, music and the like in brackets. Default false. */
  prosody?: boolean
  /** Cleans the sound first, which takes time. Default false. */
  audioEnhancer?: boolean
  /** Words that are less certain are left out, 0–1. Default 0.4. */
  confidenceThreshold?: number
}

export interface GoogleTranscriber {
  provider: 'google'
  model?: OpenString<
    | 'gemini-2.5-pro'
    | 'gemini-2.5-flash'
    | 'gemini-2.5-flash-lite'
    | 'gemini-2.0-flash'
    | 'gemini-2.0-flash-lite'
  >
  /** The language's English name, or `Multilingual`. */
  language?: OpenString<'Multilingual' | 'English'>
}

export interface OpenAiTranscriber {
  provider: 'openai'
  model: OpenString<'gpt-4o-transcribe' | 'gpt-4o-mini-transcribe'>
  /** ISO 639-1. */
  language?: string
}

export interface SpeechmaticsTranscriber {
  provider: 'speechmatics'
  model?: OpenString<'default'>
  /** ISO 639, or `auto`. */
  language?: OpenString<'auto' | 'en'>
}

export interface TalkscriberTranscriber {
  provider: 'talkscriber'
  model?: OpenString<'whisper'>
  /** ISO 639-1. */
  language?: string
}

/** A transcriber of a provider whose settings are known. */
export type ProviderTranscriber =
  | AssemblyAiTranscriber
  | AzureTranscriber
  | CartesiaTranscriber
  | CustomTranscriber
  | DeepgramTranscriber
  | ElevenLabsTranscriber
  | GladiaTranscriber
  | GoogleTranscriber
  | OpenAiTranscriber
  | SpeechmaticsTranscriber
  | TalkscriberTranscriber

/** A transcriber of any other provider, or with settings that came later: what they have in common, and whatever else it takes. */
export interface OtherTranscriber {
  provider: OpenString<ProviderTranscriber['provider'] | 'soniox'>
  model?: string
  language?: string
  /** Words that are less certain are left out, 0–1. Default 0.4 where the provider knows it. */
  confidenceThreshold?: number
  [setting: string]: unknown
}

/** Transcribers to go on with when the first one fails, in order. */
export interface TranscriberFallbackPlan {
  transcribers: (ProviderTranscriber | OtherTranscriber)[]
}

/** What writes down the customer's words: the settings of one provider, and the transcribers behind it. */
export type Transcriber = (ProviderTranscriber | OtherTranscriber) & {
  fallbackPlan?: TranscriberFallbackPlan
}
