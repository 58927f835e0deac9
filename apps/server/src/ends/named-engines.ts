import {
  createDeepgramTranscriber,
  createDeepgramVoice,
  createElevenLabsTranscriber,
  createElevenLabsVoice,
  createOpenAiRealtimeTranscriber,
  createOpenAiTranscriber,
  createOpenAiVoice,
  createWyomingTranscriber,
  createWyomingVoice,
  type Transcriber,
  type Voice,
} from '@heyline/voice-platform'
import type { TranscriberSettings, VoiceSettings } from '../settings/engine-settings.js'

/** The transcriber that the settings name. */
export function namedTranscriber({ kind = 'openai', ...options }: TranscriberSettings): Transcriber {
  switch (kind) {
    case 'openai-realtime':
      return createOpenAiRealtimeTranscriber(options)
    case 'deepgram':
      return createDeepgramTranscriber(options)
    case 'elevenlabs':
      return createElevenLabsTranscriber(options)
    case 'wyoming':
      return createWyomingTranscriber(options)
    case 'openai':
      return createOpenAiTranscriber(options)
  }
}

/** The voice that the settings name. */
export function namedVoice({ kind = 'openai', ...options }: VoiceSettings): Voice {
  switch (kind) {
    case 'deepgram':
      return createDeepgramVoice(options)
    case 'elevenlabs':
      return createElevenLabsVoice(options)
    case 'wyoming':
      return createWyomingVoice({ ...options, name: options.voice ?? options.name })
    case 'openai':
      return createOpenAiVoice(options)
  }
}
