import { ManualClock } from '@heyline/kit/manual-clock'
import { levelOf } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { synthesize } from '../engines/flite/synthesize.js'
import { createOfflineEngines } from '../engines/offline/offline-engines.js'
import { FIRST_OFFLINE_REPLY } from '../engines/offline/offline-model.js'
import { ScriptedLink } from '../testing/scripted-link.js'
import { startSession } from './running-session.js'

const logger = pino({ level: 'silent' })
const engines = createOfflineEngines({ logger })
afterAll(() => engines.close())

it('greets, notices real speech and answers it honestly, all without a network', async () => {
  const link = new ScriptedLink()
  const clock = new ManualClock()
  const session = startSession(
    {
      link,
      engines,
      logger,
      assistant: {
        firstMessage: 'Hey Ada, welcome to Harbour Tea.',
        systemPrompt: 'You are the receptionist. We sell tea from nine to five.',
        maxDurationSeconds: 600,
        silenceTimeoutSeconds: 30,
      },
    },
    clock,
  )
  await vi.waitFor(() => expect(link.eventsOf('transcript')).toHaveLength(1), 10_000)
  expect(levelOf(link.sent[0] ?? new Int16Array(0))).toBeGreaterThan(0.02)
  const caller = synthesize('Hello there, when are you open?')
  for (const part of [caller, new Int16Array(16_000)]) {
    for (let at = 0; at < part.length; at += 320) {
      clock.advance(20)
      link.handlers.onAudio(part.subarray(at, at + 320))
    }
  }
  await vi.waitFor(() => expect(link.eventsOf('transcript')).toHaveLength(3), 10_000)
  session.end('assistant-ended-call')
  const { messages } = await session.ended
  expect(messages.map(({ role }) => role)).toEqual(['system', 'bot', 'user', 'bot'])
  expect(messages[2]?.message).toMatch(/^\[unintelligible speech/)
  expect(messages[3]?.message).toContain(FIRST_OFFLINE_REPLY)
  expect(messages[3]?.message).toMatch(/receptionist|We sell tea from nine to five/)
})
