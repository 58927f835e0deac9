import type { OpenString } from './open-string.js'

/** What every credential takes: a name, and whatever else its provider knows. */
export interface CredentialSettings {
  /** 1–40 characters. */
  name?: string
  [setting: string]: unknown
}

/** What every stored credential has. Secrets are not given back, beside where a type says so. */
export interface CredentialRecord extends CredentialSettings {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

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

interface TwilioAccount {
  provider: 'twilio'
  accountSid: string
}

/** With the account's token, or with a key and its secret. */
export interface CreateTwilioCredential extends CredentialSettings, TwilioAccount {
  authToken?: string
  apiKey?: string
  apiSecret?: string
}

export interface TwilioCredential extends CredentialRecord, TwilioAccount {}

interface VonageAccount {
  provider: 'vonage'
  apiKey: string
}

export interface CreateVonageCredential extends CredentialSettings, VonageAccount {
  apiSecret: string
}

export interface VonageCredential extends CredentialRecord, VonageAccount {
  /** The application that the platform made at Vonage; at most 10,000 characters. */
  vonageApplicationId: string
}

/** One way into a SIP trunk. */
export interface SipTrunkGateway {
  /** An IPv4 address or a host name. */
  ip: string
  /** 1–65,535. Default 5060. */
  port?: number
  /** Bits of the netmask, 24–32. Default 32. Outbound calls go to `ip` alone. */
  netmask?: number
  /** Default true. */
  inboundEnabled?: boolean
  /** Default true. */
  outboundEnabled?: boolean
  /** Signalling of outbound calls. Default `udp`. */
  outboundProtocol?: 'tls/srtp' | 'tcp' | 'tls' | 'udp'
  /** Pings the gateway; with no gateway within reach outbound calls are refused. Default false. */
  optionsPingEnabled?: boolean
}

/** How the platform makes itself known to a trunk. */
export interface SipTrunkAuthenticationPlan {
  authUsername?: string
  /** Not given back. */
  authPassword?: string
  /** Not set: no SIP registration. */
  sipRegisterPlan?: { domain?: string; username?: string; realm?: string }
}

/** A SIP trunk of one's own, or of a carrier. */
interface SipTrunk {
  provider: 'byo-sip-trunk'
  gateways: SipTrunkGateway[]
  outboundAuthenticationPlan?: SipTrunkAuthenticationPlan
  /** Writes numbers with their plus; Twilio and Vonage need it. Default false. */
  outboundLeadingPlusEnabled?: boolean
  /** At most 10,000 characters. */
  techPrefix?: string
  /** The diversion header that vouches for the calling number; at most 10,000 characters. */
  sipDiversionHeader?: string
  /** A session border controller of one's own. */
  sbcConfiguration?: Record<string, unknown>
}

export interface CreateSipTrunkCredential extends CredentialSettings, SipTrunk {}

export interface SipTrunkCredential extends CredentialRecord, SipTrunk {}
