import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPglite } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { CallingPlatform } from './testing/calling-platform.js'
import { KilledServer } from './testing/killed-server.js'
import { OPEN_GATE } from './testing/open-gate.js'

const KILLS = 2
/** Answered before the server is killed, in the midst of others. */
const ENOUGH = 150
const SENDERS = 8
/** Of each sender, between two messages. */
const REST_MS = 10
const HOOK_SECRET = 'a-hook-secret-of-this-test'

const platform = await CallingPlatform.start({ privateKey: 'private-key-of-the-stand-in' })
const server = new KilledServer({ ...OPEN_GATE, ...platform.settings(), PLATFORM_HOOK_SECRET: HOOK_SECRET })
afterAll(async () => {
  await server.remove()
  await platform.stop()
})

const requestOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** Calls that are under way, and that the platform is not asked about for a day. */
const CALLS_UNDER_WAY = `
  insert into call_desk.call_requests
    (id, phone, slug, state, body_hash, attempts, dialling_at, sent_at, platform_call_id, check_at, max_seconds)
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '+1415' || 5550000 + n, 'default', 'dialling', '',
    1, now(), now(), 'call-' || n, now() + interval '1 day', 180
  from generate_series(0, 4999) n`

async function inDatabase<Found>(
  run: (db: Awaited<ReturnType<typeof openPglite>>) => Promise<Found>,
): Promise<Found> {
  const db = await openPglite({
    directory: join(server.dataDirectory, 'pglite'),
    logger: pino({ level: 'silent' }),
  })
  return await run(db).finally(() => db.close())
}

/** The inbox's id of the message that was sent to end a call. */
const idsOfMessages = new Map<number, string>()

/** Sends a message that ends this call; whether it was answered with 200. */
async function end(index: number): Promise<boolean> {
  const call = { id: `call-${index}` }
  const message = {
    type: 'status-update',
    status: 'ended',
    timestamp: Date.now(),
    endedReason: 'voicemail',
    call,
  }
  const body = JSON.stringify({ message })
  idsOfMessages.set(index, `sha256:${createHash('sha256').update(body).digest('hex')}`)
  const answer = await fetch(`${server.url}/-/hooks/platform`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vapi-secret': HOOK_SECRET },
    body,
  }).catch(() => undefined)
  if (answer) expect(answer.status).toBe(200)
  return answer !== undefined
}

it('does what every message says that it has answered, however often it is killed', async () => {
  await server.start()
  await server.end('SIGTERM')
  await inDatabase((db) => db.exec(CALLS_UNDER_WAY))
  const answered: number[] = []
  let next = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await server.start()
    const goal = answered.length + ENOUGH
    const killed = async () => {
      while (answered.length < goal) await delay(1)
      await server.end('SIGKILL')
    }
    const send = async () => {
      for (;;) {
        const index = next++
        if (!(await end(index))) return
        answered.push(index)
        await delay(REST_MS)
      }
    }
    await Promise.all([killed(), ...Array.from({ length: SENDERS }, send)])
  }
  await server.start()
  await expect
    .poll(
      async () => {
        const lines = (await (await server.admin('/calls/export')).text()).trim().split('\n')
        const ended = new Set(
          lines.flatMap((line) => {
            const { id, state }: { id: string; state: string } = JSON.parse(line)
            return state === 'ended' ? id : []
          }),
        )
        return answered.filter((index) => !ended.has(requestOf(index)))
      },
      { timeout: 20_000, interval: 250 },
    )
    .toEqual([])
  await server.end('SIGTERM')
  const stored = await inDatabase((db) => db.query<{ id: string }>('select id from call_desk.inbox'))
  const kept = new Set(stored.rows.map(({ id }) => id))
  expect(answered.filter((index) => !kept.has(idsOfMessages.get(index) ?? ''))).toEqual([])
  expect(answered.length).toBeGreaterThanOrEqual(KILLS * ENOUGH)
}, 180_000)
