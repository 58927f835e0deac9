import type { CredentialRecord, CredentialSettings } from './provider-credential.js'

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

/** The client on whose behalf Google Calendar is asked. */
interface GoogleCalendarClient {
  provider: 'google.calendar.oauth2-client'
}

export interface CreateGoogleCalendarClientCredential extends CredentialSettings, GoogleCalendarClient {}

export interface GoogleCalendarClientCredential extends CredentialRecord, GoogleCalendarClient {}

/** What a user allowed, in the dialogue that `credentials.createSession` opens. */
interface UserAuthorization {
  provider:
    | 'google.calendar.oauth2-authorization'
    | 'google.sheets.oauth2-authorization'
    | 'slack.oauth2-authorization'
  /** The id that the dialogue ended with. */
  authorizationId: string
}

export interface CreateAuthorizationCredential extends CredentialSettings, UserAuthorization {}

export interface AuthorizationCredential extends CredentialRecord, UserAuthorization {}

interface GoHighLevelAuthorization {
  provider: 'ghl.oauth2-authorization'
  authenticationSession: OAuth2Session
}

export interface CreateGoHighLevelAuthorizationCredential
  extends CredentialSettings,
    GoHighLevelAuthorization {}

export interface GoHighLevelAuthorizationCredential extends CredentialRecord, GoHighLevelAuthorization {}

/** Gets a token by OAuth 2 client credentials (RFC 6749) and sends it. */
export interface OAuth2Plan {
  type: 'oauth2'
  /** Address of the token endpoint. */
  url: string
  clientId: string
  clientSecret: string
  /** At most 1000 characters. */
  scope?: string
}

/** Signs each message with a shared key. */
export interface HmacPlan {
  type: 'hmac'
  secretKey: string
  algorithm: 'sha256' | 'sha512' | 'sha1'
  /** Header of the signature. Default `x-signature`. */
  signatureHeader?: string
  /** Header of the time. Default `x-timestamp`. */
  timestampHeader?: string
  /** Before the signature: `sha256=`. */
  signaturePrefix?: string
  /** Signs the time along. Default true. */
  includeTimestamp?: boolean
  /** What is signed, of `{body}`, `{timestamp}`, `{method}`, `{url}` and `{svix-id}`. Default `{timestamp}.{body}`. */
  payloadFormat?: string
  /** Header of the message's unique id, for receivers in Svix's manner. */
  messageIdHeader?: string
  /** Default `hex`. */
  signatureEncoding?: 'hex' | 'base64'
  /** `secretKey` is Base64 and is decoded first. Default false. */
  secretIsBase64?: boolean
}

/** Sends a fixed token. */
export interface BearerPlan {
  type: 'bearer'
  token: string
  /** Default `Authorization`. */
  headerName?: string
  /** Writes `Bearer ` before the token. Default true. */
  bearerPrefixEnabled?: boolean
}

/** What the platform got by OAuth 2. Its tokens are secrets. */
export interface OAuth2Session {
  accessToken?: string
  /** ISO 8601. */
  expiresAt?: string
  refreshToken?: string
}
