import type { OpenString } from './open-string.js'

/** Providers whose workflows can be listed. */
export type WorkflowProvider = OpenString<'make' | 'ghl'>

/** Query of `providers.listWorkflows`. */
export interface ListProviderWorkflows {
  locationId?: string
}

/** Query of `providers.searchVoice` and `providers.searchVoices`. */
export interface SearchVoices {
  /** The voice's name at the provider. */
  name: string
}

/** A voice that the provider's users share. */
export interface SharedVoice {
  voiceId: string
  name: string
  /** Whose voice it is: the `ownerId` of `providers.addVoice`. */
  publicOwnerId?: string
  description?: string
  gender?: string
  /** In the provider's own form. */
  age?: unknown
  accent?: string
}

/** Body of `providers.addVoice` and `providers.addVoices`. */
export interface AddVoice {
  ownerId: string
  voiceId: string
  /** The voice's name in one's own account. */
  name: string
}

/** Body of `providers.cloneVoice`, sent as `multipart/form-data`. */
export interface CloneVoice {
  name: string
  /** Audio of the voice, each sent as a part named `files`. */
  files: (File | Blob)[]
  description?: string
  /** JSON text of an object of labels. */
  labels?: string
}
