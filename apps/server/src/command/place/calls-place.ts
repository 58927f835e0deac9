import { type CallOffice, createCallOffice } from '@heyline/call-desk'
import { runningCalls } from '../../calls/running-calls.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the calls: at the running server, or, if no server runs, in the database itself. */
export async function withCalls(context: CommandContext, work: (calls: CallOffice) => Promise<void>) {
  checkPlace(context)
  return withOwnDatabase(context, { running: runningCalls, stopped: createCallOffice }, work)
}

/** Throws a `CommandError` where there is no call desk to reach. Says so where another one has the phone calls. */
export function checkPlace({ settings, terminal }: CommandContext): void {
  refuseNowhere(settings)
  if (settings.callWebhookUrl)
    terminal.error(
      'heyline: CALL_WEBHOOK_URL names another call desk. These commands cannot see its phone calls',
    )
}
