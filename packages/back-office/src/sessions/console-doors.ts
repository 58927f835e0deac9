import { CredentialTurns } from '../access/credential-turns.js'
import { ApiKeys } from '../api-keys/api-keys.js'
import type { Operators } from '../operators/operators.js'
import { AddressTries } from './address-tries.js'
import { ConsoleSessions, type ConsoleSessionsOptions } from './console-sessions.js'
import { OwnAccount } from './own-account.js'
import { SigningIn } from './signing-in.js'

/** Tries of one address in ten minutes: of setup links, and of passwords and codes where the auth wire knows no addresses. */
const WINDOW_MS = 10 * 60_000
const SETUP_TRIES = 10
const SIGN_IN_TRIES = 30

export interface ConsoleDoorsOptions extends Omit<ConsoleSessionsOptions, 'turns'> {
  operators: Operators
  /** Where mailed links lead, up to and without the `#`. */
  consoleUrl: string
  /** The auth wire is our own end: it is told who asks, lists sessions, and makes recovery codes. */
  isOwnEnd: boolean
}

/** How operators come in beside access tokens: the console's sessions, and the keys of their own tools. */
export interface ConsoleDoors {
  sessions: ConsoleSessions
  signingIn: SigningIn
  account: OwnAccount
  apiKeys: ApiKeys
  /** Of credentials that nobody has shown yet, of all kinds together. */
  turns: CredentialTurns
}

export function openConsoleDoors(options: ConsoleDoorsOptions): ConsoleDoors {
  const { db, clock, operators, consoleUrl, isOwnEnd } = options
  const counted = (most: number) => new AddressTries({ most, windowMs: WINDOW_MS, clock })
  const turns = new CredentialTurns(clock)
  const sessions = new ConsoleSessions({ ...options, turns })
  const tries = isOwnEnd ? undefined : counted(SIGN_IN_TRIES)
  const setupTries = counted(SETUP_TRIES)
  return {
    sessions,
    signingIn: new SigningIn({ sessions, operators, consoleUrl, setupTries, tries }),
    account: new OwnAccount({ sessions, hasAdditions: isOwnEnd, tries }),
    apiKeys: new ApiKeys({ db, clock }),
    turns,
  }
}
