import {
  createOfflineEngines,
  createOpenAiModel,
  type Engines,
  modelWithFallback,
  transcriberWithFallback,
  voiceWithFallback,
} from '@heyline/voice-platform'
import type { Logger } from 'pino'
import type { EngineSettings, EnginesSettings } from '../settings/engine-settings.js'
import type { Settings } from '../settings/settings.js'
import { namedTranscriber, namedVoice } from './named-engines.js'

export interface EnginesEnd {
  engines: Engines
  description: string
  close(): Promise<void>
}

/**
 * Each engine by its own setting: a server where one is named, and a second one that takes over, else the offline one, whose transcriber asks
 * browsers for words where the settings let it.
 */
export function openEngines(
  settings: Pick<Settings, 'engines' | 'browserTranscriber'> & { fallbacks?: EnginesSettings },
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
  const second = settings.fallbacks ?? {}
  const takeover = (engine: string) => ({
    onTakeover: (error: unknown) =>
      logger.warn({ err: error, engine }, 'an engine failed; the second one takes over for a minute'),
  })
  const modelOf = (options: EngineSettings) => createOpenAiModel({ ...options, onToolsRefused })
  const engines = {
    transcriber: withSecond(
      transcriber ? namedTranscriber(transcriber) : offline.transcriber,
      second.transcriber && namedTranscriber(second.transcriber),
      (first, other) => transcriberWithFallback(first, other, takeover('transcriber')),
    ),
    model: withSecond(
      model ? modelOf(model) : offline.model,
      second.model && modelOf(second.model),
      (first, other) => modelWithFallback(first, other, takeover('model')),
    ),
    voice: withSecond(
      voice ? namedVoice(voice) : offline.voice,
      second.voice && namedVoice(second.voice),
      (first, other) => voiceWithFallback(first, other, takeover('voice')),
    ),
  }
  return {
    engines,
    description: hosted.length > 0 ? `${hosted.join(', ')} by the settings, else offline` : 'offline engines',
    async close() {
      engines.voice.close?.()
      await offline.close()
    },
  }
}

const withSecond = <T>(first: T, second: T | undefined, both: (first: T, second: T) => T): T =>
  second ? both(first, second) : first
