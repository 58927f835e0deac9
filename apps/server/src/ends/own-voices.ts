import type { OwnVoice } from '@heyline/voice-platform'
import type { EnginesSettings, VoiceSettings } from '../settings/engine-settings.js'
import type { VoiceKind } from '../settings/engine-values.js'

/** The name that the platform has for a kind of engine, and the voice of an assistant that names none. */
const KINDS: Readonly<Record<VoiceKind, { provider: string; voice?: string }>> = {
  openai: { provider: 'openai', voice: 'alloy' },
  deepgram: { provider: 'deepgram', voice: 'aura-2-thalia-en' },
  elevenlabs: { provider: '11labs', voice: '21m00Tcm4TlvDq8ikWAM' },
  wyoming: { provider: 'wyoming' },
}

/** The voices of the engines that are set. Undefined where none is: the built-in voice speaks. */
export function ownVoices(engines: EnginesSettings, fallbacks: EnginesSettings): OwnVoice[] | undefined {
  if (!engines.voice) return undefined
  const voices = [engines.voice, fallbacks.voice].flatMap((settings) => (settings ? [voiceOf(settings)] : []))
  return voices.filter(
    ({ provider, providerId }, index) =>
      voices.findIndex((other) => other.provider === provider && other.providerId === providerId) === index,
  )
}

function voiceOf({ kind = 'openai', voice, name }: VoiceSettings): OwnVoice {
  const { provider, voice: usual } = KINDS[kind]
  const providerId = voice ?? usual ?? name ?? 'default'
  return { provider, providerId, name: providerId, ...(name !== undefined && { model: name }) }
}
