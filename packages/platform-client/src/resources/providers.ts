import type {
  AddVoice,
  CloneVoice,
  ListProviderWorkflows,
  SearchVoices,
  SharedVoice,
  WorkflowProvider,
} from '../api/provider.js'
import type { LibraryVoice, VoiceLibraryProvider } from '../api/voice-library.js'
import type { RequestOptions } from '../request/request-input.js'

/** What the organisation has at other providers, asked through the platform. */
export interface Providers {
  /** Workflows at Make or GoHighLevel, in the provider's own form. `GET /{provider}/workflows` */
  listWorkflows(
    provider: WorkflowProvider,
    query?: ListProviderWorkflows,
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>
  /** What starts a workflow, in the provider's own form. `GET /{provider}/workflows/{workflowId}/hooks` */
  listWorkflowHooks(
    provider: WorkflowProvider,
    workflowId: string,
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>
  /** Locations of an account, in the provider's own form. `GET /{provider}/locations` */
  listLocations(provider: WorkflowProvider, options?: RequestOptions): Promise<Record<string, unknown>>
  /**
   * Shared voices of a name. `name` is required. `GET /{provider}/voices/search`
   * @deprecated Use `searchVoice`.
   */
  searchVoices(
    provider: VoiceLibraryProvider,
    query: SearchVoices,
    options?: RequestOptions,
  ): Promise<SharedVoice[]>
  /** Shared voices of a name, several of them. `name` is required. `GET /{provider}/voice/search` */
  searchVoice(
    provider: VoiceLibraryProvider,
    query: SearchVoices,
    options?: RequestOptions,
  ): Promise<SharedVoice[]>
  /**
   * Adds a shared voice to the organisation's account. `POST /{provider}/voices/add`
   * @deprecated Use `addVoice`.
   */
  addVoices(provider: VoiceLibraryProvider, body: AddVoice, options?: RequestOptions): Promise<LibraryVoice>
  /** Adds a shared voice to the organisation's account. `POST /{provider}/voice/add` */
  addVoice(provider: VoiceLibraryProvider, body: AddVoice, options?: RequestOptions): Promise<LibraryVoice>
  /**
   * Makes a voice from recordings, in the ElevenLabs account and in the library. Audio files only. `POST /11labs/voice/clone`, as
   * `multipart/form-data`, answers nothing.
   */
  cloneVoice(body: CloneVoice, options?: RequestOptions): Promise<void>
}
