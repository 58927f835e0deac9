import type { Db } from '@heyline/database'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UnknownReasons } from '../call/outcome.js'
import { createStopCalling } from '../placing/stop-calling.js'
import { DEFAULT_TIMINGS } from '../run/timings.js'
import { HOOK_SECRET, hookRequest, openDeskDb } from '../testing/desk.js'
import { drained, inboxWorkerOf, insertPlaced } from '../testing/followed-calls.js'
import { type PlatformStandIn, startPlatformStandIn } from '../testing/platform-stand-in.js'
import { Seeded } from '../testing/seeded.js'
import { createHook } from './hook.js'
import type { InboxWorker } from './inbox-worker.js'
import { Reconciler } from './reconciler.js'

const logger = pino({ level: 'silent' })

let db: Db
let platform: PlatformStandIn
let hook: (request: Request) => Promise<Response>
let worker: InboxWorker

beforeAll(async () => {
  db = await openDeskDb()
  hook = createHook({ db, secrets: [HOOK_SECRET], logger })
  worker = inboxWorkerOf(db, { onSaid: createStopCalling({ db, logger }) })
  await worker.start()
})
afterAll(async () => {
  await worker.close()
  await db.close()
})
beforeEach(async () => {
  await db.exec(
    'delete from call_desk.call_requests; delete from call_desk.inbox; delete from call_desk.ledger; delete from call_desk.do_not_call',
  )
  platform = await startPlatformStandIn()
})
afterEach(() => platform[Symbol.asyncDispose]())

const at = (seconds: number) => Date.UTC(2026, 0, 1) + seconds * 1000
const iso = (seconds: number) => new Date(at(seconds)).toISOString()

/** What the platform keeps of the call, and posts as its report: not quite what it said before. */
const record = {
  startedAt: iso(6),
  endedAt: iso(70),
  endedReason: 'customer-ended-call',
  cost: 0.0712,
  artifact: { transcript: 'AI: Hello\nUser: Hello' },
  analysis: { summary: 'They greeted.' },
}
const messages = {
  ringing: { type: 'status-update', status: 'ringing', timestamp: at(1) },
  'in-progress': { type: 'status-update', status: 'in-progress', timestamp: at(5) },
  ended: { type: 'status-update', status: 'ended', endedReason: 'assistant-ended-call', timestamp: at(69) },
  report: { type: 'end-of-call-report', timestamp: at(80), ...record },
  transcript: { type: 'transcript', role: 'user', transcriptType: 'final', timestamp: at(9) },
}
type Name = keyof typeof messages
const names = Object.keys(messages) as Name[]

/** All orders of the items. */
function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  )
}

/** One way in which the messages of a call may come. */
interface Way {
  callId: string
  order: Name[]
}
const waysOf = (orders: readonly Name[][]): Way[] =>
  orders.map((order, index) => ({ callId: `call-${index}`, order }))

let sent = 0
async function send(callId: string, name: Name, transcript: string, id: string): Promise<void> {
  // Told apart by `id` alone, so that the repetitions are dealt with, too.
  const request = hookRequest({ transcript, ...messages[name], call: { id: callId }, id })
  expect((await hook(request)).status).toBe(200)
}

/** Sends the first message of every call, deals with them, and so on; or all, before any is dealt with. */
async function sendAll(ways: readonly Way[], transcript: string, isStepwise: boolean): Promise<void> {
  if (!isStepwise) await worker.close()
  for (let step = 0; step < Math.max(...ways.map(({ order }) => order.length)); step++) {
    await Promise.all(
      ways.map(({ callId, order }) => {
        const name = order[step]
        return name && send(callId, name, transcript, `msg_${sent++}`)
      }),
    )
    if (isStepwise) await drained(db)
  }
  if (!isStepwise) await worker.start()
  await drained(db)
}

/** The rows, without what differs between calls, and the times of the desk's own doing. */
async function rows(): Promise<Map<string, Record<string, unknown>>> {
  const found = await db.query<Record<string, unknown>>(
    `select r.*, l.reserved, l.spent, r.recorded_at is not null as recorded
     from call_desk.call_requests r left join call_desk.ledger l on l.request_id = r.id`,
  )
  return new Map(
    found.rows.map(
      ({
        platform_call_id,
        id,
        phone,
        created_at,
        updated_at,
        run_at,
        check_at,
        dialling_at,
        sent_at,
        ...row
      }) => {
        const { recorded_at, hang_up_at, ...rest } = row
        return [String(platform_call_id), rest]
      },
    ),
  )
}

const final = {
  state: 'ended',
  ringing_at: new Date(at(1)),
  in_progress_at: new Date(at(6)),
  ended_at: new Date(at(70)),
  ended_reason: 'customer-ended-call',
  outcome: 'completed',
  cost_microusd: 71_200,
  transcript: 'AI: Hello\nUser: Hello',
  summary: 'They greeted.',
  recorded: true,
  spent: 71_200,
}

function expectSame(
  ways: readonly Way[],
  found: Map<string, Record<string, unknown>>,
  expected: object,
): void {
  const [first] = found.values()
  expect(first).toMatchObject(expected)
  for (const { callId, order } of ways) expect(found.get(callId), order.join(', ')).toEqual(first)
}

/** Orders with repetitions put in. */
function withRepetitions(orders: readonly Name[][], seed: number): Name[][] {
  const random = new Seeded(seed)
  return orders.map((order) => {
    const result = [...order]
    for (let count = random.whole(1, 3); count > 0; count--)
      result.splice(random.whole(0, result.length), 0, order[random.whole(0, order.length - 1)] ?? 'ringing')
    return result
  })
}

describe('the messages of a call give the same row', () => {
  it.each([true, false])('in every order (dealt with one after the other: %s)', async (isStepwise) => {
    const ways = waysOf(permutations(names))
    await insertPlaced(
      db,
      ways.map(({ callId }) => callId),
    )
    await sendAll(ways, 'Hello', isStepwise)
    expectSame(ways, await rows(), final)
  })

  it.each([1, 2])('with repetitions, in every order (seed %d)', async (seed) => {
    const ways = waysOf(withRepetitions(permutations(names), seed))
    await insertPlaced(
      db,
      ways.map(({ callId }) => callId),
    )
    await sendAll(ways, 'Hello', seed === 1)
    expectSame(ways, await rows(), final)
  })

  it('with the same message over and over, and nothing is done twice', async () => {
    await insertPlaced(db, ['call-0'])
    for (const name of names)
      await Promise.all([1, 2, 3].map(() => send('call-0', name, 'Hello', `msg_${name}`)))
    await drained(db)
    expect((await db.query('select from call_desk.inbox')).rowCount).toBe(names.length)
    expectSame([{ callId: 'call-0', order: names }], await rows(), final)
  })

  it('when the person said that we should stop calling, wherever that comes', async () => {
    const random = new Seeded(5)
    const ways = waysOf(permutations(names).filter(() => random.fraction() < 0.3))
    await insertPlaced(
      db,
      ways.map(({ callId }) => callId),
    )
    await sendAll(ways, 'Please stop calling me.', true)
    expectSame(ways, await rows(), { ...final, outcome: 'caller_stopped', hang_up_reason: 'stop_calling' })
    expect((await db.query('select from call_desk.do_not_call')).rowCount).toBe(ways.length)
  })

  it('when one or two are lost, in any order of the others: the platform is asked', async () => {
    const random = new Seeded(7)
    const lossy = names.flatMap((one) =>
      names.map((other) => names.filter((name) => name !== one && name !== other)),
    )
    const ways = waysOf(lossy.flatMap((left) => permutations(left).filter(() => random.fraction() < 0.4)))
    await insertPlaced(
      db,
      ways.map(({ callId }) => callId),
    )
    await sendAll(ways, 'Hello', true)
    for (const { callId } of ways) platform.calls.set(callId, { id: callId, status: 'ended', ...record })
    await reconcile()
    const found = await rows()
    for (const row of found.values()) delete row.ringing_at
    const { ringing_at, ...expected } = final
    expectSame(ways, found, expected)
  })
})

/** Asks the platform about every call that has no record, at once. */
async function reconcile(): Promise<void> {
  await db.exec('update call_desk.call_requests set check_at = now() where recorded_at is null')
  const reconciler = new Reconciler({
    db,
    platform: new PlatformClient({ token: 'private-key', baseUrl: platform.url }),
    timings: { ...DEFAULT_TIMINGS, reconcileMs: 10 },
    logger,
    reasons: new UnknownReasons(logger),
  })
  reconciler.start()
  const open = 'select platform_call_id from call_desk.call_requests where recorded_at is null'
  await expect.poll(async () => (await db.query(open)).rows, { timeout: 10_000 }).toEqual([])
  // The reports that are lost are given up.
  await db.exec("update call_desk.call_requests set recorded_at = recorded_at - interval '6 minutes'")
  const unsettled = 'select request_id from call_desk.ledger where spent is null'
  await expect.poll(async () => (await db.query(unsettled)).rows, { timeout: 10_000 }).toEqual([])
  await reconciler.close()
}
