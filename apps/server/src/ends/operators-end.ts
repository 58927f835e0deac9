import {
  AuthAdmin,
  type ConsoleDoors,
  createOperators,
  type Mailer,
  OperatorAccess,
  type Operators,
  openConsoleDoors,
} from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { sessionsKey } from '../keys/derived-keys.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'
import type { BackendEnd } from './backend-end.js'
import { consoleUrl } from './console-url.js'

/** The operators, and who lets them in. */
export interface OperatorsEnd {
  operators: Operators
  access: Pick<OperatorAccess, 'enter'>
  doors: ConsoleDoors
}

export interface OperatorsEndOptions {
  settings: Settings
  db: Db
  keys: KeyRing
  publicUrl: string
  backend: Pick<BackendEnd, 'url' | 'fetch' | 'fetchFor'>
  /** Undefined: links are printed only. */
  mail: Mailer | undefined
}

/** What is missing where the accounts are a Supabase project's, and nobody gave us its secret key. */
export const NO_SECRET_KEY =
  'SUPABASE_SECRET_KEY is not set: operators are accounts of SUPABASE_URL, and only that key may invite them'

/** Operators on the accounts of the Supabase wire, whichever end it has. Undefined where its secret key is missing. */
export function openOperators({
  settings,
  db,
  keys,
  publicUrl,
  backend,
  mail,
}: OperatorsEndOptions): OperatorsEnd | undefined {
  const { backend: hosted, needsSecondFactor } = settings
  const secretKey = hosted ? hosted.secretKey : keys.secret
  if (secretKey === undefined) return undefined
  const wire = { url: `${backend.url}/auth/v1`, secretKey, fetch: backend.fetch, fetchFor: backend.fetchFor }
  const auth = new AuthAdmin(wire)
  const console = consoleUrl(publicUrl)
  const isOwnEnd = hosted === undefined
  const operators = createOperators({ db, auth, consoleUrl: console, mail, ownsAccounts: isOwnEnd })
  // A project that serves itself may name only its host.
  const issuers = [wire.url, backend.url]
  const access = new OperatorAccess({
    ...wire,
    issuers,
    hasSharedSecret: !isOwnEnd,
    db,
    auth,
    needsSecondFactor,
  })
  const key = sessionsKey(secretKey)
  const clock = systemClock
  const doors = openConsoleDoors({ db, key, clock, wire, access, operators, consoleUrl: console, isOwnEnd })
  return { operators, access, doors }
}
