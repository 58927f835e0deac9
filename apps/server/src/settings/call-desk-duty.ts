import type { Environment } from './environment.js'

/**
 * What our call desk does. `browser`: a foreign webhook has the phone calls, and the desk is the gate before the browser calls of our own
 * platform. `off`: those are a hosted platform's too, and never reach us.
 */
export type CallDeskDuty = 'all' | 'browser' | 'off'

export function callDeskDuty({ CALL_WEBHOOK_URL, PLATFORM_URL }: Environment): CallDeskDuty {
  if (!CALL_WEBHOOK_URL) return 'all'
  return PLATFORM_URL ? 'off' : 'browser'
}
