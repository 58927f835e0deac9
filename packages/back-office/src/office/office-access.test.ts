import { expect, it, vi } from 'vitest'
import type { Operator } from '../access/operator-access.js'
import { sessionCookie } from '../sessions/session-cookie.js'
import { OfficeAccess } from './office-access.js'

const ORIGIN = 'http://localhost:3000'
const ANN: Operator = { userId: 'ann', email: '', role: 'owner', aal: 'aal2', enteredAt: 0 }

/** Asked with a cookie that a step-up has just replaced. */
function askFormer(method: string, operation: { reads?: true; stepUp?: true }) {
  const access = new OfficeAccess({
    secretKey: 'sb_secret_of_the_test',
    operators: {
      access: { enter: vi.fn() },
      apiKeys: { enter: vi.fn() },
      sessions: { enter: async () => ({ operator: ANN, mayChange: false }) },
      turns: { run: (_, __, look) => look() },
    },
    cookie: sessionCookie(ORIGIN),
    origins: [ORIGIN],
    addressOf: () => undefined,
    clock: { now: () => 0 },
  })
  const headers = { origin: ORIGIN, cookie: 'heyline-console=the-former' }
  const request = new Request(`${ORIGIN}/-/office/any`, { method, headers })
  return access
    .enter(request, { role: 'viewer', ...operation }, () => {})
    .then(
      () => 'let in',
      ({ code }) => code,
    )
}

it('lets a cookie that was just replaced read, also by POST, and change nothing', async () => {
  expect(await askFormer('GET', {})).toBe('let in')
  expect(await askFormer('POST', { reads: true })).toBe('let in')
  expect(await askFormer('POST', {})).toBe('unauthorized')
  expect(await askFormer('POST', { reads: true, stepUp: true })).toBe('unauthorized')
})
