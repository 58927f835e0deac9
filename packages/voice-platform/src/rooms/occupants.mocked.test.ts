import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { hashOf, isSameSecret } from '@heyline/kit/secret'
import { GRACE_MS, ROOM_PROTOCOL } from '@heyline/room-protocol'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { socketPair } from '../testing/socket-pair.js'
import { Occupants } from './occupants.js'
import { SeatStore } from './seat-store.js'
import { SocketLink } from './socket-link.js'

vi.mock('@heyline/kit/secret', { spy: true })

const logger = pino({ level: 'silent' })

it('compares tokens in constant time, and lets back neither with a wrong one nor to a link that is not open', async () => {
  const pair = await socketPair(ROOM_PROTOCOL)
  const query = vi.fn(async () => ({ rows: [] }))
  const db: Db = Object.assign(Object.create(null), { query })
  const clock = new ManualClock()
  const occupants = new Occupants({ seats: new SeatStore(db), clock, logger })
  const link = new SocketLink(pair.server, { clock, logger, graceMs: GRACE_MS })
  occupants.add('call', link, { participantId: 'p', resumeToken: 'token' })
  expect(occupants.readmit('call', 'wrong')).toBeUndefined()
  expect(vi.mocked(isSameSecret)).toHaveBeenLastCalledWith(hashOf('wrong'), hashOf('token'))
  const back = occupants.readmit('call', 'token')
  if (back === undefined || back === 'too_often') throw new Error('not let back')
  expect(back.isSecondTry).toBe(false)
  expect(vi.mocked(isSameSecret)).toHaveBeenLastCalledWith(hashOf('token'), hashOf('token'))
  for (let count = 0; count < 3; count++) link.event({ type: 'x'.repeat(1_000_000) })
  expect(occupants.readmit('call', back.admission.resumeToken)).toBeUndefined()
  await pair.close()
})
