import type { IncomingMessage } from 'node:http'
import type { BoundedLog } from '../log/bounded-log.js'
import { pathOf } from './request-path.js'

/** What opens only to a key, a signature or an origin, and how each says no. */
const DOORS: readonly { door: string; path: RegExp; statuses: readonly number[] }[] = [
  { door: 'admin', path: /^\/-\/admin(\/|$)/, statuses: [401] },
  { door: 'hook', path: /^\/-\/hooks\//, statuses: [401] },
  { door: 'backend', path: /^\/-\/backend\/rest\//, statuses: [401] },
  { door: 'platform', path: /^\/-\/platform\//, statuses: [401, 403] },
  { door: 'room', path: /^\/-\/rooms\//, statuses: [403] },
  { door: 'twilio', path: /^\/-\/carriers\/twilio\//, statuses: [403] },
  { door: 'phone', path: /^\/-\/(phone|carriers\/simulated\/)/, statuses: [403] },
]

/** Logs a refused attempt to open one of our doors. Nothing of what was shown there is logged, nor who it was: a proxy's log has that. */
export function logRefusedAttempt(log: BoundedLog, request: IncomingMessage, status: number): void {
  const path = pathOf(request)
  const found = DOORS.find((door) => door.statuses.includes(status) && door.path.test(path))
  if (found) log.warn(found.door, { method: request.method, status }, 'an attempt was refused')
}
