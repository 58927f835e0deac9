import { setTimeout as pause } from 'node:timers/promises'
import type { CallDesk } from '@heyline/call-desk'
import type { DrainPlan, VoicePlatform } from '@heyline/voice-platform'
import type { Logger } from 'pino'
import type { OpenAnswers } from './open-answers.js'
import type { Readiness } from './readiness.js'

/** How the server stops, from the first signal on. */
export interface ServerDrainPlan extends DrainPlan {
  /** How long everything still works while balancers notice that the server is not ready, in milliseconds. */
  delayMs: number
}

export interface DrainedParts {
  readiness: Readiness
  answers: OpenAnswers
  /** Undefined while our own call desk is off. */
  desk: Pick<CallDesk, 'drain'> | undefined
  /** Who sends events. */
  events: { close(): Promise<void> }
  /** Undefined where the platform is hosted: its calls go on without us. */
  platform: Pick<VoicePlatform, 'drain'> | undefined
  logger: Logger
}

/**
 * Takes the server out of service. It says at once that it is not ready, and begins no more calls once balancers have noticed. What is queued
 * is left to other processes, or to the next start. Running calls, pages, hooks and callbacks are served on. Resolves when the server may be closed.
 */
export async function drainServer(
  parts: DrainedParts,
  { delayMs, ...calls }: ServerDrainPlan,
): Promise<void> {
  const { readiness, answers, desk, events, platform, logger } = parts
  readiness.state({ code: 'draining', message: 'The server is about to stop.' })
  answers.leave()
  if (delayMs > 0) {
    logger.info(
      { seconds: delayMs / 1000 },
      'not ready any more; everything works on until balancers have noticed',
    )
    await pause(delayMs)
  }
  answers.cutStreams()
  const given = events.close()
  // The desk first: what it is just placing on our own platform must not be refused there.
  for (const drained of [() => desk?.drain(), () => platform?.drain(calls), () => given])
    try {
      await drained()
    } catch (err) {
      logger.error({ err }, 'a part of the server was not drained; the stop goes on')
    }
}
