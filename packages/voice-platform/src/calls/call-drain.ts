import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Voice } from '../engines/engine.js'
import type { CallStore } from './call-store.js'
import type { Conversations } from './conversations.js'
import type { House } from './house.js'

/** How often a process that is about to stop looks whether its calls are over, in milliseconds. */
const LOOK_MS = 250

/** How the calls of a process end that is about to stop. */
export interface DrainPlan {
  /** How long running calls may go on, in milliseconds. */
  callsMs: number
  /** How long the goodbye to those that are left may take, in milliseconds. With 0 nothing is said. */
  goodbyeMs: number
  /** The assistant's words. */
  goodbye: string
  /** Told once how many calls are waited for, where there are any. */
  onWaiting?(calls: number): void
}

export interface CallDrainOptions {
  store: CallStore
  conversations: Conversations
  house: House
  voice: Voice
  clock: Clock
  logger: Logger
}

/**
 * Lets the calls of this process end. New ones are refused from the first moment on: 503 for a web call, 429 for a phone call, both with
 * `Retry-After`. A phone that rings, and a room that waits for its caller, count as running. Resolves when no call is left, or when the
 * goodbye is over. Never rejects.
 */
export async function drainCalls(
  { store, conversations, house, voice, clock, logger }: CallDrainOptions,
  { callsMs, goodbyeMs, goodbye, onWaiting }: DrainPlan,
): Promise<void> {
  house.shut()
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  const running = async () => {
    const held = conversations.held().length
    // While the database is away, what this process holds is what it knows of.
    return Math.max(held, await store.countOwn().catch(() => held))
  }
  let left = await running()
  if (left === 0) return
  logger.info({ calls: left, seconds: Math.round(callsMs / 1000) }, 'waiting for running calls to end')
  onWaiting?.(left)
  if (goodbyeMs > 0) voice.prepare?.(goodbye)
  for (let waited = 0; left > 0 && waited < callsMs; waited += LOOK_MS) {
    await pause(LOOK_MS)
    left = await running()
  }
  const held = conversations.held().length
  if (goodbyeMs === 0 || held === 0) return
  logger.info({ calls: held }, 'the calls that are left hear a goodbye')
  await Promise.race([conversations.sayGoodbye(goodbye, 'worker-shutdown'), pause(goodbyeMs)])
}
