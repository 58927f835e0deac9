import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Carrier } from '../carriers/carrier.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { CallStore } from './call-store.js'

/** While this process stands still: it has sent a statement, and gets the answer so much later. */
interface Stall {
  statement: RegExp
  /** What goes on by so many milliseconds: all clocks, or the machine's alone. */
  clock: 'advance' | 'step'
  ms: number
  /** What another process does. */
  meanwhile?(): Promise<unknown>
}

let db: Db
let clock: ManualClock
let bench: PlatformBench
let stall: Stall | undefined
let dialled: string[]
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  clock = new ManualClock()
  stall = undefined
  dialled = []
  const carrier: Carrier = {
    name: 'scripted',
    connect() {},
    async dial({ callId }) {
      dialled.push(callId)
      return { id: 'leg-1' }
    },
    async hangUp() {},
    async sendText() {},
    async close() {},
  }
  bench = await startPlatform(stallingDb(), { carrier, clock })
})
afterEach(async () => {
  await bench.close()
  await db.exec('delete from voice_platform.calls')
})

function stallingDb(): Db {
  return {
    kind: db.kind,
    async query(sql, parameters, options) {
      const answer = await db.query<never>(sql, parameters, options)
      if (stall?.statement.test(sql)) {
        const { clock: moved, ms, meanwhile } = stall
        stall = undefined
        await meanwhile?.()
        clock[moved](ms)
      }
      return answer
    },
    exec: (sql) => db.exec(sql),
    transaction: (run, options) => db.transaction(run, options),
    listen: (channel, heard) => db.listen(channel, heard),
    close: () => db.close(),
  }
}

const place = async () => {
  const { assistantId } = await bench.platform.defaults()
  return await bench.client.calls.create({ assistantId, customer: { number: '+12025550123' } })
}
const BEFORE_STORED = /from voice_platform.assistants/
const STORED = /insert into voice_platform.calls/

describe('a process that stands still before it dials', () => {
  it.each<Stall>([
    { statement: BEFORE_STORED, clock: 'advance', ms: 6_000 },
    { statement: STORED, clock: 'advance', ms: 6_000 },
    { statement: STORED, clock: 'step', ms: 6_000 },
  ])('places nothing, and says that it may be asked again ($statement, $clock)', async (one) => {
    stall = one
    await expect(place()).rejects.toMatchObject({
      status: 429,
      message: 'The call could not be dialled within five seconds; no call was placed.',
      retryAfter: 2,
    })
    expect(dialled).toEqual([])
    expect(await bench.client.calls.list()).toEqual([])
    const { id } = await place()
    expect(dialled).toEqual([id])
  })

  it.each([BEFORE_STORED, STORED])('dials as ever where it was a short while (%s)', async (statement) => {
    stall = { statement, clock: 'advance', ms: 4_000 }
    const { id } = await place()
    expect(dialled).toEqual([id])
  })

  it('says that the call is over where another process has ended it, and keeps its record', async () => {
    const other = new CallStore(db, crypto.randomUUID())
    const meanwhile = async () => {
      const [call] = await bench.client.calls.list()
      await other.breakOff(call?.id ?? '', 'worker-shutdown')
    }
    stall = { statement: STORED, clock: 'advance', ms: 60_000, meanwhile }
    await expect(place()).rejects.toMatchObject({
      status: 409,
      message: 'The call was ended before it was dialled; no call was placed.',
    })
    expect(dialled).toEqual([])
    expect(await bench.client.calls.list()).toMatchObject([
      { status: 'ended', endedReason: 'worker-shutdown' },
    ])
  })
})
