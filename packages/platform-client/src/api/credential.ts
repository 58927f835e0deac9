import type {
  AuthorizationCredential,
  CreateAuthorizationCredential,
  CreateCustomLlmCredential,
  CreateGoHighLevelAuthorizationCredential,
  CreateGoogleCalendarClientCredential,
  CreateWebhookCredential,
  CustomLlmCredential,
  GoHighLevelAuthorizationCredential,
  GoogleCalendarClientCredential,
  WebhookCredential,
} from './authenticated-credential.js'
import type { ListQuery } from './page.js'
import type {
  AzureOpenAiCredential,
  CreateAzureOpenAiCredential,
  CreateDeepgramCredential,
  CreateKeyCredential,
  CreateLangfuseCredential,
  CreateMakeCredential,
  CreatePlayHtCredential,
  CreateSipTrunkCredential,
  CreateTwilioCredential,
  CreateVonageCredential,
  DeepgramCredential,
  KeyCredential,
  LangfuseCredential,
  MakeCredential,
  PlayHtCredential,
  SipTrunkCredential,
  TwilioCredential,
  VonageCredential,
} from './provider-credential.js'
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
