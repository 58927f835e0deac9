import type {
  CreateCredential,
  ListCredentials,
  PlatformCredential,
  UpdateCredential,
} from '../api/credential.js'
import type {
  CreateCredentialSession,
  CredentialAction,
  CredentialSession,
  CredentialWebhook,
} from '../api/credential-session.js'
import type { RequestOptions } from '../request/request-input.js'

/** The organisation's own accounts at other providers. */
export interface Credentials {
  /** The newest first, less their secrets; 100 unless `limit` says otherwise (at most 1000). `GET /credential` */
  list(query?: ListCredentials, options?: RequestOptions): Promise<PlatformCredential[]>
  /** Stores a credential; its secrets are not given back. `POST /credential` */
  create(body: CreateCredential, options?: RequestOptions): Promise<PlatformCredential>
  /** One credential, less its secrets. `GET /credential/{id}` */
  get(id: string, options?: RequestOptions): Promise<PlatformCredential>
  /** Changes what is given; `provider` stays as it is. `PATCH /credential/{id}` */
  update(id: string, body: UpdateCredential, options?: RequestOptions): Promise<PlatformCredential>
  /** Deletes a credential and answers what it was. `DELETE /credential/{id}` */
  delete(id: string, options?: RequestOptions): Promise<PlatformCredential | undefined>
  /** A token that opens a provider's permission dialogue for a user. `POST /credential/session` */
  createSession(body: CreateCredentialSession, options?: RequestOptions): Promise<CredentialSession>
  /** Tells the platform what became of such a dialogue. The one operation that sends no authorisation. `POST /credential/webhook` answers nothing. */
  handleWebhook(body: CredentialWebhook, options?: RequestOptions): Promise<void>
  /** Starts an action at a credential's provider. `POST /credential/trigger` answers nothing. */
  triggerAction(body: CredentialAction, options?: RequestOptions): Promise<void>
}
