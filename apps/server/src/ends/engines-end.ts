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

/**
 * Each engine by its own setting: an OpenAI-compatible server where one is named, else the offline one, whose transcriber asks
 * browsers for words where the settings let it.
 */
export function openEngines(
  settings: Pick<Settings, 'engines' | 'browserTranscriber'>,
  logger: Logger,
  onToolsRefused = (name: string) =>
    logger.warn(
      { model: name },
      'the model takes no tools: assistants can neither transfer calls nor press keys with it',
    ),
): EnginesEnd {
  const { model, transcriber, voice } = settings.engines
  const offline = createOfflineEngines({ logger, callerWords: settings.browserTranscriber })
  const hosted = [model && 'model', transcriber && 'transcriber', voice && 'voice'].filter(Boolean)
  return {
    engines: {
      transcriber: transcriber ? createOpenAiTranscriber(transcriber) : offline.transcriber,
      model: model ? createOpenAiModel({ ...model, onToolsRefused }) : offline.model,
      voice: voice ? createOpenAiVoice(voice) : offline.voice,
    },
    description: hosted.length > 0 ? `${hosted.join(', ')} by the settings, else offline` : 'offline engines',
    close: () => offline.close(),
  }
}
