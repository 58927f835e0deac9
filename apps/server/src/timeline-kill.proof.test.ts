import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPglite } from '@heyline/database'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { liveThrough } from './testing/call-messages.js'
import { numberOf, requestCall } from './testing/call-requests.js'
import { CallingPlatform } from './testing/calling-platform.js'
import { KilledServer } from './testing/killed-server.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { seeded } from './testing/seeded.js'
import { readServerKeys } from './testing/server-keys.js'

const PRIVATE_KEY = 'private-key-of-the-stand-in'
const HOOK_SECRET = 'a-hook-secret-that-all-processes-share'
const KILLS = 3
const CALLERS = 3
const EDITORS = 4
/** At least so many visitors are added, and calls asked for, between two kills. */
const EACH_TIME = 6
const LONG = 180_000

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** What the events must be, told by the tables themselves: `[what, how many]` of each difference. */
const DIFFERENCES = `
  with expected(type, slug, call_id, times) as (
    select 'call.requested', r.slug, r.id, 1 from call_desk.call_requests r
    union all select 'call.answered', r.slug, r.id, 1 from call_desk.call_requests r where r.in_progress_at is not null
    union all select 'call.completed', r.slug, r.id, 1 from call_desk.call_requests r where r.state in ('ended', 'failed')
    -- Each change of an editor sets the next name: 'Name 3' has been changed three times.
    union all select 'visitor.created', v.slug, null, 1 from public.visitors v where v.slug like 'kept-%'
    union all select 'visitor.changed', v.slug, null, substring(v.name from '[0-9]+')::int
      from public.visitors v where v.slug like 'kept-%' and v.name <> 'Name 0'),
  told(type, slug, call_id, times) as (
    select type, slug, call_id, count(*)::int from timeline.events
    where call_id is not null or slug like 'kept-%' group by 1, 2, 3)
  (select 'missing' as what, * from (select * from expected except select * from told) m)
  union all
  (select 'invented', * from (select * from told except select * from expected) i)`

it('has exactly the events of what was committed, however often the server is killed', {
  timeout: LONG,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = seeded(seed)
  const messages: Promise<void>[] = []
  let isOver = false
  const platform = await CallingPlatform.start({
    privateKey: PRIVATE_KEY,
    temper: () => 'prompt',
    placed: (call) => {
      const hooks = () => (isOver ? [] : [server.url ?? 'http://127.0.0.1:9'])
      messages.push(liveThrough(call, HOOK_SECRET, hooks))
    },
  })
  const server = new KilledServer({ ...OPEN_GATE, ...platform.settings(), PLATFORM_HOOK_SECRET: HOOK_SECRET })
  closers.push(async () => {
    isOver = true
    await server.remove()
    await Promise.all(messages)
    await platform.stop()
  })
  await server.start()

  /** The status, or undefined where no answer came. */
  const ask = async (method: string, path: string, body?: object): Promise<number | undefined> => {
    const { secret } = readServerKeys(server.dataDirectory)
    return fetch(`${server.url}/-/office${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then(
      ({ status }) => status,
      () => undefined,
    )
  }
  let next = 0
  const call = async () => {
    while (!isOver) {
      await requestCall([server], numberOf(next++), random)
      await delay(random() * 200)
    }
  }
  const acknowledged = new Set<string>()
  let visitors = 0
  const edit = async () => {
    while (!isOver) {
      const number = visitors++
      // Every third one goes again, with its events counted apart.
      const slug = `${number % 3 === 0 ? 'gone' : 'kept'}-${number}`
      const add = await ask('POST', '/visitors', { slug, name: 'Name 0' })
      if (add === 201) acknowledged.add(slug)
      else await delay(50)
      if (add === 201 && slug.startsWith('gone')) {
        await ask('DELETE', `/visitors/${slug}`)
      } else if (add === 201) {
        for (let time = 1; time <= 3; time++) {
          const status = await ask('PATCH', `/visitors/${slug}`, { name: `Name ${time}` })
          // Nobody knows whether it was stored, so the next name would not say how many there were.
          if (status !== 200) break
        }
      }
    }
  }
  const clients = [...Array.from({ length: CALLERS }, call), ...Array.from({ length: EDITORS }, edit)]
  const someMore = async (more: number) => {
    const [added, asked] = [acknowledged.size, next]
    while (acknowledged.size < added + EACH_TIME + more || next < asked + EACH_TIME) await delay(5)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    await someMore(random() * 10)
    await server.end('SIGKILL')
    await server.start()
  }
  await someMore(0)
  isOver = true
  await Promise.all(clients)
  await server.end('SIGKILL')

  const db = await openPglite({
    directory: join(server.dataDirectory, 'pglite'),
    logger: pino({ level: 'silent' }),
  })
  closers.push(() => db.close())
  expect((await db.query(DIFFERENCES)).rows, `seed ${seed}`).toEqual([])
  const { rows: gone } = await db.query(
    `select e.slug, count(*) filter (where e.type = 'visitor.created') as created,
       count(*) filter (where e.type = 'visitor.removed') as removed, bool_or(v.slug is not null) as "isThere"
     from timeline.events e left join public.visitors v on v.slug = e.slug where e.slug like 'gone-%' group by 1
     having count(*) filter (where e.type = 'visitor.created') <> 1
       or count(*) filter (where e.type = 'visitor.removed') <> case when bool_or(v.slug is not null) then 0 else 1 end`,
  )
  expect(gone, `seed ${seed}: of those that went`).toEqual([])
  const { rows: told } = await db.query<{ slug: string }>(
    "select slug from timeline.events where type = 'visitor.created'",
  )
  expect(
    told.map(({ slug }) => slug),
    `seed ${seed}`,
  ).toEqual(expect.arrayContaining([...acknowledged]))
  // What is counted is what is told.
  const { rows: counts } = await db.query<{
    calls: number
    requested: number
    talked: number
    answered: number
  }>(
    `select v.calls, v.talked, count(*) filter (where e.type = 'call.requested')::int as requested,
       count(*) filter (where e.type = 'call.answered')::int as answered
     from timeline.visitors v join timeline.events e on e.slug = v.slug group by v.slug, v.calls, v.talked`,
  )
  for (const { calls, requested, talked, answered } of counts)
    expect([calls, talked], `seed ${seed}`).toEqual([requested, answered])
  expect(acknowledged.size).toBeGreaterThan(20)
  expect(next).toBeGreaterThan(20)
})
