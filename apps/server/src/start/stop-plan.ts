import type { ServerDrainPlan } from '../drain/drain-server.js'
import type { DrainSettings } from '../settings/drain-settings.js'

/** How long the goodbye may take, in milliseconds: to calls of a server that is replaced, and of one that a person wants gone. */
const GOODBYE_MS = 8_000
const SHORT_GOODBYE_MS = 2_000

/**
 * How the server stops after this signal. SIGTERM comes from what starts it anew, and waits for running calls. SIGINT is a person's Ctrl-C:
 * calls hear a goodbye, and nothing is waited for.
 */
export function stopPlan(signal: string, { delayMs, callsMs, goodbye }: DrainSettings): ServerDrainPlan {
  if (signal !== 'SIGINT') return { delayMs, callsMs, goodbye, goodbyeMs: callsMs > 0 ? GOODBYE_MS : 0 }
  return { delayMs: 0, callsMs: 0, goodbye, goodbyeMs: callsMs > 0 ? SHORT_GOODBYE_MS : 0 }
}
