import { type Operator, OperatorsError, openConsoleDoors, type Role } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import type { OperatorsEnd } from '../ends/operators-end.js'
import { type Installation, type OfficeParts, office } from '../http/office.js'
import { ownVisitors } from '../visitors/own-visitors.js'
import { testEndpoints, UNASKED_PARTS } from './office-parts.js'
import { quietInstallation } from './quiet-installation.js'

const ROLES: readonly string[] = ['owner', 'editor', 'viewer'] satisfies Role[]
const isRole = (text: string | undefined): text is Role => text !== undefined && ROLES.includes(text)

/** Whoever sends `ROLE.NAME.y` is the operator NAME, of this role, unless NAME was removed. */
const entering =
  (removed: ReadonlySet<string>) =>
  async (token: string): Promise<Operator> => {
    const [role, userId = ''] = token.split('.')
    if (!isRole(role) || removed.has(userId)) throw new OperatorsError('unauthorized', 'Not good')
    return { userId, email: `${userId}@example.com`, role, aal: 'aal1', enteredAt: 0 }
  }

/** One operator API over a database, as several operators ask it. */
export function officeOfMany(
  db: Db,
  {
    tickets = quietInstallation.tickets,
    assistant = quietInstallation.assistant,
    platform = UNASKED_PARTS.platform,
    removed = new Set(),
  }: Partial<Pick<Installation, 'tickets' | 'assistant'> & Pick<OfficeParts, 'platform'>> & {
    removed?: ReadonlySet<string>
  } = {},
) {
  const enter = entering(removed)
  const operators: OperatorsEnd['operators'] = {
    as: () => {
      throw new TypeError('not asked')
    },
    hasOwner: async () => true,
    setUp: async () => ({ email: '', isNew: true }),
  }
  const secretKey = 'sb_secret_of_the_test'
  const publicUrl = 'http://localhost:3000'
  const doors = openConsoleDoors({
    db,
    key: new Uint8Array(32),
    clock: systemClock,
    wire: { url: `${publicUrl}/-/backend/auth/v1`, secretKey },
    access: { enter },
    operators,
    consoleUrl: `${publicUrl}/-/console/`,
    isOwnEnd: true,
  })
  const app = office({
    ...UNASKED_PARTS,
    platform,
    installation: { ...quietInstallation, tickets, assistant },
    db,
    endpoints: testEndpoints(db),
    ...ownVisitors(db),
    secretKey,
    addressOf: () => '192.0.2.1',
    publicUrl,
    origins: [publicUrl],
    operators: { access: { enter }, operators, doors },
    rotateKeys: async () => ({ kid: 'a-new-one' }),
  })
  return async (
    path: string,
    bearer: string,
    { body, signal, method }: { body?: unknown; signal?: AbortSignal; method?: string } = {},
  ) => {
    const isStream = body instanceof ReadableStream
    return await app.request(path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && (isStream ? { body, duplex: 'half' } : { body: JSON.stringify(body) })),
      ...(signal && { signal }),
    })
  }
}
