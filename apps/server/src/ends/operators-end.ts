import { AuthAdmin, createOperators, type Mailer, OperatorAccess, type Operators } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import type { KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'
import type { BackendEnd } from './backend-end.js'
import { consoleUrl } from './console-url.js'

/** The operators, and who lets them in. */
export interface OperatorsEnd {
  operators: Operators
  access: Pick<OperatorAccess, 'enter'>
}

export interface OperatorsEndOptions {
  settings: Settings
  db: Db
  keys: KeyRing
  publicUrl: string
  backend: Pick<BackendEnd, 'url' | 'fetch'>
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
  const wire = { url: `${backend.url}/auth/v1`, fetch: backend.fetch }
  const auth = new AuthAdmin({ ...wire, secretKey })
  return {
    operators: createOperators({
      db,
      auth,
      consoleUrl: consoleUrl(publicUrl),
      mail,
      ownsAccounts: hosted === undefined,
    }),
    // A project that serves itself may name only its host.
    access: new OperatorAccess({ ...wire, issuers: [wire.url, backend.url], db, auth, needsSecondFactor }),
  }
}
