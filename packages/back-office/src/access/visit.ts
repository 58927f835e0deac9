import type { WireClient } from '../auth-wire/auth-wire.js'

/** A request of the console. */
export interface Visit {
  /** What its cookie holds. */
  secret: string | undefined
  client: WireClient
  /** Gives the browser another cookie; undefined takes it away. */
  give(secret: string | undefined): void
}
