/** A voice of a party’s public library, as the API shows it. */
export interface FoundVoice {
  voiceId: string
  name: string
  publicOwnerId?: string | undefined
  description?: string | undefined
  gender?: string | undefined
  age?: string | undefined
  accent?: string | undefined
}

/** A voice of an account at a party. */
export interface KeptVoice {
  /** Its id at the party. */
  providerId: string
  name: string
  description?: string | undefined
  gender?: 'male' | 'female' | undefined
  accent?: string | undefined
  languageCode?: string | undefined
  /** Where a sample of it is. */
  previewUrl?: string | undefined
}
