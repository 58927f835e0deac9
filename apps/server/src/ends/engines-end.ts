import {
  createOfflineEngines,
  createOpenAiModel,
  createOpenAiTranscriber,
  createOpenAiVoice,
  type Engines,
} from '@heyline/voice-platform'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'

export interface EnginesEnd {
  engines: Engines
  description: string
  close(): Promise<void>
}

/** Each engine by its own setting: an OpenAI-compatible server where one is named, else the offline one. */
export function openEngines({ model, transcriber, voice }: Settings['engines'], logger: Logger): EnginesEnd {
  const offline = createOfflineEngines({ logger })
  const hosted = [model && 'model', transcriber && 'transcriber', voice && 'voice'].filter(Boolean)
  return {
    engines: {
      transcriber: transcriber ? createOpenAiTranscriber(transcriber) : offline.transcriber,
      model: model ? createOpenAiModel(model) : offline.model,
      voice: voice ? createOpenAiVoice(voice) : offline.voice,
    },
    description: hosted.length > 0 ? `${hosted.join(', ')} by the settings, else offline` : 'offline engines',
    close: () => offline.close(),
  }
}
