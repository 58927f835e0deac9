import { SettingError } from '@heyline/kit/setting-error'
import { type TranscriberKind, transcriberKindOf, type VoiceKind, voiceKindOf } from './engine-values.js'
import type { Environment } from './environment.js'
import { isPublicUrl } from './loopback.js'
import { refuseLonely } from './required.js'

export interface EngineSettings {
  url: string
  key?: string
  name?: string
}

export interface TranscriberSettings extends EngineSettings {
  /** OpenAI-compatible where it is left out. */
  kind?: TranscriberKind
}

export interface VoiceSettings extends EngineSettings {
  kind?: VoiceKind
  /** The voice of an assistant that names none. */
  voice?: string
}

export interface EnginesSettings {
  model?: EngineSettings
  transcriber?: TranscriberSettings
  voice?: VoiceSettings
}

type Name = 'MODEL' | 'TRANSCRIBER' | 'VOICE'

/** The engines that are named, and the second one of each. */
export function engineSettings(values: Environment): {
  engines: EnginesSettings
  fallbacks: EnginesSettings
} {
  for (const name of ['MODEL', 'TRANSCRIBER', 'VOICE'] as const)
    if (!values[`${name}_URL`]) refuseLonely(values, [`${name}_FALLBACK_URL`], `${name}_URL`)
  return {
    engines: {
      model: engine(values, 'MODEL'),
      transcriber: transcriber(values, 'TRANSCRIBER'),
      voice: voice(values, 'VOICE', 'VOICE_ID'),
    },
    fallbacks: {
      model: engine(values, 'MODEL_FALLBACK'),
      transcriber: transcriber(values, 'TRANSCRIBER_FALLBACK'),
      voice: voice(values, 'VOICE_FALLBACK', 'VOICE_FALLBACK_ID'),
    },
  }
}

/** Whether an engine is not on this machine: somebody may charge for it. */
export function hasHostedEngine(values: Environment): boolean {
  const { MODEL_FALLBACK_URL, TRANSCRIBER_FALLBACK_URL, VOICE_FALLBACK_URL } = values
  const seconds = [MODEL_FALLBACK_URL, TRANSCRIBER_FALLBACK_URL, VOICE_FALLBACK_URL]
  return [values.MODEL_URL, values.TRANSCRIBER_URL, values.VOICE_URL, ...seconds].some(isPublicUrl)
}

function engine(values: Environment, name: Name | `${Name}_FALLBACK`): EngineSettings | undefined {
  const url = values[`${name}_URL`]
  if (url) return { url, key: values[`${name}_KEY`], name: values[`${name}_NAME`] }
  refuseLonely(values, [`${name}_KEY`, `${name}_NAME`], `${name}_URL`)
  return undefined
}

function transcriber(
  values: Environment,
  name: 'TRANSCRIBER' | 'TRANSCRIBER_FALLBACK',
): TranscriberSettings | undefined {
  const found = engine(values, name)
  if (!found) return undefined
  return ofKind(name, found, transcriberKindOf(found.url, values[`${name}_KIND`]))
}

function voice(
  values: Environment,
  name: 'VOICE' | 'VOICE_FALLBACK',
  id: 'VOICE_ID' | 'VOICE_FALLBACK_ID',
): VoiceSettings | undefined {
  const found = engine(values, name)
  if (found) {
    const kind = voiceKindOf(found.url, values[`${name}_KIND`])
    if (!kind)
      throw new SettingError(`${name}_URL`, `does not say what the server speaks: set ${name}_KIND, too`)
    return { ...ofKind(name, found, kind), voice: values[id] }
  }
  refuseLonely(values, [id], `${name}_URL`)
  return undefined
}

/** Throws a `SettingError` for an address that this kind can't have. */
function ofKind<Kind extends string>(
  name: string,
  found: EngineSettings,
  kind: Kind,
): EngineSettings & { kind?: Kind } {
  const protocol = new URL(found.url).protocol
  const isTcp = protocol === 'tcp:'
  if (isTcp !== (kind === 'wyoming') || (kind === 'openai' && protocol.startsWith('ws')))
    throw new SettingError(`${name}_URL`, `${protocol} is no address of the kind ${kind} (${name}_KIND)`)
  return kind === 'openai' ? found : { ...found, kind }
}
