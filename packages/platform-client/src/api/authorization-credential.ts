import type { OAuth2Session } from './authentication-plan.js'
import type { CredentialRecord, CredentialSettings } from './credential-record.js'

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
