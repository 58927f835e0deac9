import { z } from 'zod'

export const TRANSCRIBER_KINDS = ['openai', 'openai-realtime', 'deepgram', 'elevenlabs', 'wyoming'] as const
export const VOICE_KINDS = ['openai', 'deepgram', 'elevenlabs', 'wyoming'] as const

export type TranscriberKind = (typeof TRANSCRIBER_KINDS)[number]
export type VoiceKind = (typeof VOICE_KINDS)[number]

/** The address of an engine of any kind, without its trailing slash. */
export const engineUrl = z
  .string()
  .refine(
    (url) => URL.canParse(url) && /^(https?|wss?|tcp):$/.test(new URL(url).protocol),
    'is not an http://, https://, ws://, wss:// or tcp:// address',
  )
  .transform((url) => url.replace(/\/+$/, ''))

/** The words in a sentence, as code. */
export const listed = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')

/** The kind that an address names by itself. */
function namedBy(url: string): VoiceKind | 'socket' {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'tcp:') return 'wyoming'
  if (/(^|\.)deepgram\.com$/.test(hostname)) return 'deepgram'
  if (/(^|\.)elevenlabs\.io$/.test(hostname)) return 'elevenlabs'
  return protocol.startsWith('ws') ? 'socket' : 'openai'
}

export function transcriberKindOf(url: string, kind?: TranscriberKind): TranscriberKind {
  if (kind) return kind
  const named = namedBy(url)
  return named === 'socket' ? 'openai-realtime' : named
}

/** Undefined where neither the address nor the setting tells it. */
export function voiceKindOf(url: string, kind?: VoiceKind): VoiceKind | undefined {
  if (kind) return kind
  const named = namedBy(url)
  return named === 'socket' ? undefined : named
}
