import type { OpenString } from './open-string.js'

/** Body of `credentials.createSession`. */
export interface CreateCredentialSession {
  /** Only providers that ask their user for permission. */
  provider: OpenString<
    | 'google.calendar.oauth2-client'
    | 'google.calendar.oauth2-authorization'
    | 'google.sheets.oauth2-authorization'
    | 'slack.oauth2-authorization'
  >
}

/** Answer of `credentials.createSession`. */
export interface CredentialSession {
  /** Opens the provider's dialogue for the user. */
  sessionToken: string
}

/** Body of `credentials.handleWebhook`: what became of a user's dialogue with a provider. */
export interface CredentialWebhook {
  type: 'auth' | 'sync' | 'forward'
  operation: 'creation' | 'override' | 'refresh'
  from: string
  connectionId: string
  authMode: 'OAUTH2' | 'API_KEY' | 'BASIC'
  providerConfigKey: string
  provider: string
  environment: string
  success: boolean
  endUser: { endUserId: string; organizationId: string }
  /** When `success` is false. */
  error?: { type: string; description: string }
}

/** Body of `credentials.triggerAction`. */
export interface CredentialAction {
  action_name: string
  input: Record<string, unknown>
}
