import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Seal } from '@heyline/kit/seal'
import type { Logger } from 'pino'
import type { Accounts } from '../accounts/accounts.js'
import type { Attempts } from '../guards/attempts.js'
import type { KnownPlaces } from '../guards/known-places.js'
import type { SessionTurns } from '../sessions/session-turns.js'
import type { Sessions } from '../sessions/sessions.js'
import type { ForService } from '../wire/for-service.js'

/** What authenticator apps and text messages call us, where the client says nothing. */
export const ISSUER_NAME = 'Heyline'

/** Sends one text message to an E.164 number. Rejects if it was not sent. */
export type SendText = (text: { to: string; body: string }) => Promise<void>

/** What second factors work with. */
export interface FactorParts {
  db: Db
  accounts: Accounts
  sessions: Sessions
  sessionTurns: SessionTurns
  seal: Seal
  /** The installation's 32 bytes. */
  key: Uint8Array
  /** Without it there are no phone factors. */
  sendText?: SendText | undefined
  attempts: Attempts
  places: KnownPlaces
  forService: ForService
  clock: Clock
  logger: Logger
}
