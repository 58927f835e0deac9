import type { Logger } from 'pino'
import type { Engines } from '../engine.js'
import { createFliteVoice } from '../flite/flite-voice.js'
import { createOfflineModel, FIRST_OFFLINE_REPLY } from './offline-model.js'
import { createOfflineTranscriber, type OfflineTranscriberOptions } from './offline-transcriber.js'

export interface OfflineEnginesOptions extends OfflineTranscriberOptions {
  logger: Logger
}

/** Engines that hold threads or memory. */
export interface OfflineEngines extends Engines {
  /** Ends the voice's threads. Idempotent. */
  close(): Promise<void>
}

/** The engines that every machine has, without an account, a download or a network. They say what they cannot do. */
export function createOfflineEngines({ logger, callerWords = false }: OfflineEnginesOptions): OfflineEngines {
  const voice = createFliteVoice({ logger })
  voice.prepare(FIRST_OFFLINE_REPLY)
  return {
    transcriber: createOfflineTranscriber({ callerWords }),
    model: createOfflineModel(),
    voice,
    close: () => voice.close(),
  }
}
