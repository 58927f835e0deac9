import type { Db } from '@heyline/database'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { CallDesk, CallDeskOptions } from '../index.js'
import { deskOf, openDeskDb, rowOf } from './desk.js'
import { type PlatformStandIn, startPlatformStandIn } from './platform-stand-in.js'

/** A database for the tests of a file; a fresh platform and an empty queue for each test; desks that are closed after it. */
export interface Office {
  readonly db: Db
  platform: PlatformStandIn
  desk(changes?: Partial<CallDeskOptions>): CallDesk
  startedDesk(changes?: Partial<CallDeskOptions>): Promise<CallDesk>
  /** Resolves when the row has these fields. */
  becomes(id: string, fields: object): Promise<void>
  /** Lets the leases of dead workers run out. */
  expireLeases(): Promise<void>
}

export function useOffice(): Office {
  let db: Db
  const desks: CallDesk[] = []
  const office: Partial<Office> & Omit<Office, 'db' | 'platform'> = {
    desk(changes = {}) {
      const made = deskOf(db, office.platform?.url ?? '', changes)
      desks.push(made)
      return made
    },
    async startedDesk(changes) {
      const made = office.desk(changes)
      await made.start()
      return made
    },
    becomes: (id, fields) => expect.poll(() => rowOf(db, id), { timeout: 5000 }).toMatchObject(fields),
    expireLeases: () =>
      db.exec("update call_desk.call_requests set lease_until = now() - interval '1 second'"),
  }
  beforeAll(async () => {
    db = await openDeskDb()
    Object.assign(office, { db })
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('delete from call_desk.call_requests')
    office.platform = await startPlatformStandIn()
  })
  afterEach(async () => {
    await Promise.all(desks.splice(0).map((made) => made.close()))
    await office.platform?.[Symbol.asyncDispose]()
  })
  // Complete once the hooks have run, which is before any test.
  return office as Office
}
