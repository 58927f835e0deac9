import type { BearerPlan, HmacPlan, OAuth2Plan, OAuth2Session } from './authentication-plan.js'
import type { CredentialRecord, CredentialSettings } from './credential-record.js'

/** How the platform's messages to a server are authorised. */
interface WebhookAuthentication {
  provider: 'webhook'
  authenticationPlan: OAuth2Plan | HmacPlan | BearerPlan
}

export interface CreateWebhookCredential extends CredentialSettings, WebhookAuthentication {}

export interface WebhookCredential extends CredentialRecord, WebhookAuthentication {
  /** With an `oauth2` plan. */
  authenticationSession?: OAuth2Session
}

/** How a language model of one's own is reached. */
interface CustomLlmAuthentication {
  provider: 'custom-llm'
  /** In place of sending the key as a bearer token. */
  authenticationPlan?: OAuth2Plan
}

export interface CreateCustomLlmCredential extends CredentialSettings, CustomLlmAuthentication {
  /** Sent as a bearer token; at most 10,000 characters. */
  apiKey: string
}

export interface CustomLlmCredential extends CredentialRecord, CustomLlmAuthentication {
  authenticationSession?: OAuth2Session
}
