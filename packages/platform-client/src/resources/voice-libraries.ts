import type {
  CreateSesameVoice,
  LibraryVoice,
  ListLibraryVoices,
  SyncVoiceLibrary,
  VoiceLibraryProvider,
} from '../api/voice-library.js'
import type { RequestOptions } from '../request/request-input.js'

/** The voices that assistants can have. */
export interface VoiceLibraries {
  /** Voices of a provider, 100 unless `limit` says otherwise (at most 1000); a plain list, of the page asked for. `GET /voice-library/{provider}` */
  list(
    provider: VoiceLibraryProvider,
    query?: ListLibraryVoices,
    options?: RequestOptions,
  ): Promise<LibraryVoice[]>
  /** Voices that show the provider's accents. `GET /voice-library/{provider}/accents` takes no query. */
  listAccents(provider: VoiceLibraryProvider, options?: RequestOptions): Promise<LibraryVoice[]>
  /** Takes up the organisation's own voices at a provider. `POST /voice-library/sync/{provider}` takes no body. */
  syncProvider(provider: VoiceLibraryProvider, options?: RequestOptions): Promise<LibraryVoice[]>
  /** Takes up the default voices of several providers. `POST /voice-library/sync` */
  sync(body: SyncVoiceLibrary, options?: RequestOptions): Promise<LibraryVoice[]>
  /** Makes a voice with Sesame. `POST /voice-library/create-sesame-voice` answers nothing. */
  createSesameVoice(body: CreateSesameVoice, options?: RequestOptions): Promise<void>
}
