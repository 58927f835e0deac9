import type {
  AuthorizationCredential,
  CreateAuthorizationCredential,
  CreateGoHighLevelAuthorizationCredential,
  CreateGoogleCalendarClientCredential,
  GoHighLevelAuthorizationCredential,
  GoogleCalendarClientCredential,
} from './authorization-credential.js'
import type {
  CreateSipTrunkCredential,
  CreateTwilioCredential,
  CreateVonageCredential,
  SipTrunkCredential,
  TwilioCredential,
  VonageCredential,
} from './carrier-credential.js'
import type { CreateKeyCredential, KeyCredential } from './key-credential.js'
import type { ListQuery } from './list-query.js'
import type {
  AzureOpenAiCredential,
  CreateAzureOpenAiCredential,
  CreateDeepgramCredential,
  CreateLangfuseCredential,
  CreateMakeCredential,
  CreatePlayHtCredential,
  DeepgramCredential,
  LangfuseCredential,
  MakeCredential,
  PlayHtCredential,
} from './service-credential.js'
import type {
  AzureCredential,
  CloudflareCredential,
  CreateAzureCredential,
  CreateCloudflareCredential,
  CreateGcpCredential,
  CreateS3Credential,
  CreateSupabaseCredential,
  GcpCredential,
  S3Credential,
  SupabaseCredential,
} from './storage-credential.js'
import type {
  CreateCustomLlmCredential,
  CreateWebhookCredential,
  CustomLlmCredential,
  WebhookCredential,
} from './webhook-credential.js'

/** Body of `credentials.create`, and a credential given inline to an assistant or a workflow. `provider` says which kind it is. */
export type CreateCredential =
  | CreateKeyCredential
  | CreateAzureOpenAiCredential
  | CreateDeepgramCredential
  | CreateLangfuseCredential
  | CreateMakeCredential
  | CreatePlayHtCredential
  | CreateS3Credential
  | CreateGcpCredential
  | CreateAzureCredential
  | CreateCloudflareCredential
  | CreateSupabaseCredential
  | CreateTwilioCredential
  | CreateVonageCredential
  | CreateSipTrunkCredential
  | CreateWebhookCredential
  | CreateCustomLlmCredential
  | CreateGoogleCalendarClientCredential
  | CreateAuthorizationCredential
  | CreateGoHighLevelAuthorizationCredential

/** Whom a credential is for. */
export type CredentialProvider = CreateCredential['provider']

/** Takes each kind by itself, so that the type still tells them apart. */
type UpdateOf<Kind> = Kind extends { provider: CredentialProvider }
  ? Partial<Kind> & Pick<Kind, 'provider'>
  : never

/** Body of `credentials.update`: the credential's provider, which stays as it is, and what changes. */
export type UpdateCredential = UpdateOf<CreateCredential>

/** A stored credential, less its secrets; `provider` says which kind it is. */
export type PlatformCredential =
  | KeyCredential
  | AzureOpenAiCredential
  | DeepgramCredential
  | LangfuseCredential
  | MakeCredential
  | PlayHtCredential
  | S3Credential
  | GcpCredential
  | AzureCredential
  | CloudflareCredential
  | SupabaseCredential
  | TwilioCredential
  | VonageCredential
  | SipTrunkCredential
  | WebhookCredential
  | CustomLlmCredential
  | GoogleCalendarClientCredential
  | AuthorizationCredential
  | GoHighLevelAuthorizationCredential

/** Query of `credentials.list`. */
export type ListCredentials = ListQuery
