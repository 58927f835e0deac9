import type { IncomingMessage } from 'node:http'
import type { BoundedLog } from '@heyline/kit/bounded-log'
import { pathOf, queryOf } from './request-path.js'

interface Door {
  door: string
  path: RegExp
  /** The `grant_type` of the query; left out for any. */
  grant?: string
  statuses: readonly number[]
}

/** What needs a key, a password, a signature or an allowed origin, and the statuses with which each refuses. */
const DOORS: readonly Door[] = [
  {
    door: 'session',
    path: /^\/-\/office\/session\/(sign-in|link|set-up|confirm|recovery-code|step-up|password)$/,
    statuses: [400, 401, 403, 422, 429],
  },
  { door: 'office', path: /^\/-\/office(\/|$)/, statuses: [401] },
  { door: 'hook', path: /^\/-\/hooks\//, statuses: [401] },
  { door: 'backend', path: /^\/-\/backend\/rest\//, statuses: [401] },
  {
    door: 'auth',
    path: /^\/-\/backend\/auth\/v1\/(admin|invite|token|verify|recover)/,
    statuses: [401, 403, 429],
  },
  // A wrong password. A session that has ended is 400 as well, and nobody's attempt.
  { door: 'auth', path: /^\/-\/backend\/auth\/v1\/token$/, grant: 'password', statuses: [400] },
  { door: 'platform', path: /^\/-\/platform\//, statuses: [401, 403] },
  { door: 'room', path: /^\/-\/rooms\//, statuses: [403] },
  { door: 'twilio', path: /^\/-\/carriers\/twilio\//, statuses: [403] },
  { door: 'phone', path: /^\/-\/(phone|carriers\/simulated\/)/, statuses: [403] },
]

/**
 * Logs a refused attempt. The line holds neither the key or password that was tried, nor whose account it was, nor the client's address: a
 * proxy's log has the address.
 */
export function logRefusedAttempt(log: BoundedLog, request: IncomingMessage, status: number): void {
  const doors = DOORS.filter(({ statuses }) => statuses.includes(status))
  // Few answers have such a status: the others need no path.
  if (doors.length === 0) return
  const path = pathOf(request)
  const found = doors.find(
    (door) => door.path.test(path) && (!door.grant || queryOf(request).get('grant_type') === door.grant),
  )
  if (found) log.warn(found.door, { method: request.method, status }, 'an attempt was refused')
}
