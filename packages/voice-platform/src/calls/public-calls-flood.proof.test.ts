import { randomBytes } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Call } from '@heyline/platform-client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

/**
 * The aim: with nothing but the page's public key, spend the engines' money, fill the disk and keep others out of their first word.
 * Before there were bounds, 500 calls opened in 4 s, 1,745 model requests went out in 10 s, and 375 MB were stored in 8 s.
 */
const CALLS = 500
const HOUSE = 24
/** Texts that each stranger in a room has the assistant say or answer, as fast as a room takes texts. */
const MESSAGES = 38
const PATIENCE = { timeout: 20_000 }
/** A prompt of the greatest length, which no compression makes smaller. */
const prompt = () => randomBytes(10_000).toString('hex')

let db: Db
let bench: PlatformBench
const engines = new ScriptedEngines({ replies: [['Yes.']] })
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { engines, conversationsMost: HOUSE })
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const storedBytes = async () => {
  const { rows } = await db.query<{ bytes: string }>(
    "select pg_total_relation_size('voice_platform.calls') as bytes",
  )
  return Number(rows[0]?.bytes)
}

it('a flood of calls finds a full house, and those inside say no more than a few words', async () => {
  const { assistantId } = await bench.platform.defaults()
  const before = await storedBytes()
  const open = () =>
    bench.request(
      'POST',
      '/call/web',
      {
        assistantId,
        assistantOverrides: {
          firstMessageMode: 'assistant-waits-for-user',
          model: {
            provider: 'openai',
            model: 'the-dearest',
            messages: [{ role: 'system', content: prompt() }],
          },
        },
      },
      KEYS.public,
    )
  const answers = await Promise.all(Array.from({ length: CALLS }, open))
  const made = answers.filter(({ status }) => status === 201)
  expect(made).toHaveLength(HOUSE)
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(CALLS - HOUSE)
  expect((await storedBytes()) - before).toBeLessThan(8_000_000)

  const rooms = await Promise.all(
    made.map(async (answer) => bench.openRoom(((await answer.json()) as Call).webCallUrl ?? '', [])),
  )
  for (const room of rooms)
    await vi.waitFor(() => expect(room.texts.map(({ type }) => type)).toContain('status-update'))
  for (const room of rooms)
    for (let message = 0; message < MESSAGES; message += 1)
      room.socket.send('{"type":"add-message","message":{"role":"user","content":"And now?"}}')
  await vi.waitFor(() => expect(engines.asked.length).toBeGreaterThanOrEqual(5 * HOUSE), PATIENCE)
  for (const room of rooms) room.socket.send('{"type":"hangup"}')
  await Promise.all(rooms.map((room) => room.closed))
  // A slow machine gives each room one turn more.
  expect(engines.asked.length).toBeLessThanOrEqual(6 * HOUSE)
  expect(new Set(engines.asked.map(({ options }) => options.model))).not.toContain('the-dearest')
}, 60_000)
