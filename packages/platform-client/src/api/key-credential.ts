import type { CredentialRecord, CredentialSettings } from './credential-record.js'

/** Providers that need a key and nothing else. */
export type KeyCredentialProvider =
  | '11labs'
  | 'anthropic'
  | 'anyscale'
  | 'assembly-ai'
  | 'cartesia'
  | 'cerebras'
  | 'deep-seek'
  | 'deepinfra'
  | 'gladia'
  | 'gohighlevel'
  | 'google'
  | 'groq'
  | 'hume'
  | 'inflection-ai'
  | 'inworld'
  | 'lmnt'
  | 'mistral'
  | 'neuphonic'
  | 'openai'
  | 'openrouter'
  | 'perplexity-ai'
  | 'rime-ai'
  | 'runpod'
  | 'smallest-ai'
  | 'speechmatics'
  | 'tavus'
  | 'together-ai'
  | 'trieve'
  | 'xai'

export interface CreateKeyCredential extends CredentialSettings {
  provider: KeyCredentialProvider
  /** At most 10,000 characters (Mistral: 100). Inworld: the Base64 text of its Basic authentication. */
  apiKey: string
}

export interface KeyCredential extends CredentialRecord {
  provider: KeyCredentialProvider
}
