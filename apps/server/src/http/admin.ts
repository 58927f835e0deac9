import { OperatorsError, writeAudit } from '@heyline/back-office'
import { VisitorError, type VisitorErrorCode, type Visitors } from '@heyline/backend'
import { createCallOffice, RecordsError, type RecordsErrorCode } from '@heyline/call-desk'
import { BackupError, DatabaseError, type Db } from '@heyline/database'
import { Hono } from 'hono'
import type { BackendEnd } from '../ends/backend-end.js'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { createPeople } from '../people/people.js'
import { type AdminAccessOptions, type AdminEnv, adminAccess, OPERATORS_STATUS } from './admin-access.js'
import { adminCalls } from './admin-calls.js'
import { adminOperators } from './admin-operators.js'
import { adminPeople } from './admin-people.js'
import { adminVisitors } from './admin-visitors.js'
import { backupAnswer } from './backup-answer.js'

const STATUS = {
  invalid_visitor: 400,
  invalid_slug: 400,
  invalid_name: 400,
  slug_taken: 409,
  visitor_not_found: 404,
  too_large: 413,
  not_supported: 400,
  visitors_unreachable: 502,
  invalid_request: 400,
  invalid_phone: 400,
  invalid_id: 400,
  call_not_found: 404,
  several_calls: 409,
  slug_not_called: 404,
  not_listed: 404,
  call_running: 409,
  calls_unreachable: 502,
} as const satisfies Record<VisitorErrorCode | RecordsErrorCode, number>

export interface AdminOptions extends Pick<AdminAccessOptions, 'secret' | 'addressOf'> {
  visitors: Visitors
  db: Db
  /** Undefined: only the secret key opens anything. */
  operators: OperatorsEnd | undefined
  /** Undefined where somebody else signs access tokens. */
  rotateKeys?: BackendEnd['rotateKeys']
}

/** `/-/admin`: for the command, with the secret key, and for operators, with their access tokens. No CORS. */
export function admin({
  visitors,
  db,
  secret,
  addressOf,
  operators,
  rotateKeys,
}: AdminOptions): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>()
  app.use(adminAccess({ db, secret, addressOf, access: operators?.access }))
  app.route('/', adminVisitors(visitors))
  app.route('/', adminCalls(createCallOffice(db)))
  app.route('/', adminPeople(createPeople(db, visitors)))
  app.route('/', adminOperators({ db, operators: operators?.operators }))
  if (rotateKeys)
    app.post('/keys/rotate', async (context) => {
      const made = await rotateKeys()
      await writeAudit(db, context.get('actor'), 'keys_rotated', made)
      return context.json(made)
    })
  app.get('/backup', async (context) => {
    await writeAudit(db, context.get('actor'), 'backup_taken')
    return backupAnswer(db)
  })
  app.onError((error, context) => {
    if (error instanceof OperatorsError)
      return context.json({ code: error.code, message: error.message }, OPERATORS_STATUS[error.code])
    if (error instanceof VisitorError || error instanceof RecordsError)
      return context.json({ code: error.code, message: error.message }, STATUS[error.code])
    if (error instanceof BackupError || error instanceof DatabaseError)
      return context.json({ code: error.code, message: error.message }, 409)
    throw error
  })
  return app
}
