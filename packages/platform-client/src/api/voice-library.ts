import type { OpenString } from './open-string.js'
import type { ListQuery } from './page.js'

/** Providers whose voices the library knows. */
export type VoiceLibraryProvider = OpenString<
  | '11labs'
  | 'azure'
  | 'cartesia'
  | 'custom-voice'
  | 'deepgram'
  | 'hume'
  | 'inworld'
  | 'lmnt'
  | 'neuphonic'
  | 'openai'
  | 'playht'
  | 'rime-ai'
  | 'sesame'
  | 'smallest-ai'
  | 'tavus'
  | 'vapi'
>

/** One voice of the library. */
export interface LibraryVoice {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  /** Every organisation may use it. */
  isPublic: boolean
  isDeleted: boolean
  provider?: VoiceLibraryProvider
  /** The voice's id at its provider: an assistant's `voice.voiceId`. */
  providerId?: string
  slug?: string
  name?: string
  language?: string
  languageCode?: string
  model?: string
  supportedModels?: string
  gender?: OpenString<'male' | 'female'>
  accent?: string
  /** Where to hear it. */
  previewUrl?: string
  description?: string
  credentialId?: string
}

/** Query of `voiceLibraries.list`. */
export interface ListLibraryVoices extends ListQuery {
  /** Which part of the list; `limit` is the size of a part. */
  page?: number
  keyword?: string
  language?: string
  accent?: string
  gender?: string
}

/** Body of `voiceLibraries.sync`. */
export interface SyncVoiceLibrary {
  /** The hosted platform takes one. */
  providers?: VoiceLibraryProvider | VoiceLibraryProvider[]
}

/** Body of `voiceLibraries.createSesameVoice`. */
export interface CreateSesameVoice {
  voiceName?: string
  /** What is said in the sample. */
  transcription?: string
}
