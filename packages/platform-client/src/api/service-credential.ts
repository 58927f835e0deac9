import type { CredentialRecord, CredentialSettings } from './credential-record.js'
import type { OpenString } from './open-string.js'

/** Regions of Azure that the platform knows. */
export type AzureRegion = OpenString<
  | 'australia'
  | 'canadacentral'
  | 'canadaeast'
  | 'eastus'
  | 'eastus2'
  | 'france'
  | 'india'
  | 'japaneast'
  | 'japanwest'
  | 'northcentralus'
  | 'norway'
  | 'southcentralus'
  | 'swedencentral'
  | 'switzerland'
  | 'uaenorth'
  | 'uk'
  | 'westus'
  | 'westus3'
>

/** Models deployed in an Azure resource. */
interface AzureOpenAiResource {
  provider: 'azure-openai'
  region: AzureRegion
  /** The deployed models: `gpt-4o-2024-11-20`. */
  models: string[]
  /** Address of the resource; at most 10,000 characters. */
  openAIEndpoint: string
}

export interface CreateAzureOpenAiCredential extends CredentialSettings, AzureOpenAiResource {
  /** At most 10,000 characters. */
  openAIKey: string
  /** Key of Azure's API management, where that stands before the resource. */
  ocpApimSubscriptionKey?: string
}

export interface AzureOpenAiCredential extends CredentialRecord, AzureOpenAiResource {}

interface DeepgramAccount {
  provider: 'deepgram'
  /** Address of an instance of one's own. Default `api.deepgram.com`. */
  apiUrl?: string
}

export interface CreateDeepgramCredential extends CredentialSettings, DeepgramAccount {
  apiKey: string
}

export interface DeepgramCredential extends CredentialRecord, DeepgramAccount {}

interface LangfuseProject {
  provider: 'langfuse'
  /** Begins with `pk-lf-`. */
  publicKey: string
  /** Address of the Langfuse host: `https://cloud.langfuse.com`. */
  apiUrl: string
}

export interface CreateLangfuseCredential extends CredentialSettings, LangfuseProject {
  /** Begins with `sk-lf-`. */
  apiKey: string
}

export interface LangfuseCredential extends CredentialRecord, LangfuseProject {}

interface MakeTeam {
  provider: 'make'
  teamId: string
  /** `eu1`, `eu2`, `us1`, `us2`, … */
  region: string
}

export interface CreateMakeCredential extends CredentialSettings, MakeTeam {
  apiKey: string
}

export interface MakeCredential extends CredentialRecord, MakeTeam {}

interface PlayHtAccount {
  provider: 'playht'
  userId: string
}

export interface CreatePlayHtCredential extends CredentialSettings, PlayHtAccount {
  apiKey: string
}

export interface PlayHtCredential extends CredentialRecord, PlayHtAccount {}
