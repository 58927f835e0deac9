import { type CallOffice, createCallOffice } from '@heyline/call-desk'
import { runningCalls } from '../calls/running-calls.js'
import type { Settings } from '../settings/settings.js'
import { withOwnDatabase } from './visitors-place.js'

/** Where the calls are: at the running server, or, with none running, in the database itself. */
export function withCalls(settings: Settings, work: (calls: CallOffice) => Promise<void>) {
  if (settings.callWebhookUrl)
    console.error('heyline: CALL_WEBHOOK_URL names another call desk, of which nothing is known here')
  return withOwnDatabase(settings, { running: runningCalls, stopped: createCallOffice }, work)
}
