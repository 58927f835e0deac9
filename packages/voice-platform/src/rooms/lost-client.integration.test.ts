import { ManualClock } from '@heyline/kit/manual-clock'
import { GRACE_MS, ROOM_PROTOCOL } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSession } from '../session/running-session.js'
import type { Session } from '../session/session.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { type SocketPair, socketPair } from '../testing/socket-pair.js'
import { SocketLink } from './socket-link.js'

const logger = pino({ level: 'silent' })

let pair: SocketPair
let clock: ManualClock
let session: Session
beforeEach(async () => {
  pair = await socketPair(ROOM_PROTOCOL)
  clock = new ManualClock()
})
afterEach(() => pair.close())

/** A conversation with a client that reads, and answers pings, and nothing else. */
const start = async (firstMessage: string, silenceTimeoutSeconds = 30) => {
  const texts: string[] = []
  pair.client.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) texts.push(JSON.parse(data.toString('utf8')).type)
  })
  session = startSession(
    {
      link: new SocketLink(pair.server, { clock, logger, graceMs: GRACE_MS }),
      engines: new ScriptedEngines(),
      assistant: { firstMessage, maxDurationSeconds: 3_600, silenceTimeoutSeconds },
      logger,
    },
    clock,
  )
  if (firstMessage) await vi.waitFor(() => expect(texts).toContain('room.mark'))
}

/** Time goes on, second by second, with time for the client's pongs. */
const pass = async (seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000)
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a client that reports nothing', () => {
  it('is taken to have heard the greeting, and its silence ends the call', async () => {
    await start('We open at nine today.')
    await pass(40)
    expect(await session.ended).toMatchObject({
      endedReason: 'silence-timed-out',
      messages: [{ role: 'bot', message: 'We open at nine today.' }],
    })
    await vi.waitFor(() => expect(clock.pending).toBe(0))
  })

  it('and then leaves, has heard what there was time for', async () => {
    await start('We open at nine today and close at five.')
    clock.advance(150)
    pair.client.terminate()
    await vi.waitFor(() => expect(pair.server.readyState).toBe(pair.server.CLOSED))
    clock.advance(GRACE_MS)
    const { messages } = await session.ended
    expect(messages).toMatchObject([{ message: 'We open at nine today' }])
    expect(clock.pending).toBe(0)
  })
})

it('a client that is gone without a word is cut off after thirty seconds, and ends its call after the time to come back', async () => {
  await start('', 3_600)
  pair.client.pause()
  await pass(30)
  await vi.waitFor(() => expect(pair.server.readyState).toBe(pair.server.CLOSED))
  await pass(14)
  expect(clock.pending).toBeGreaterThan(0)
  await pass(1)
  expect(await session.ended).toMatchObject({ endedReason: 'customer-ended-call' })
  await vi.waitFor(() => expect(clock.pending).toBe(0))
})
