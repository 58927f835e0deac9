import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CallOffice, createCallOffice } from '@heyline/call-desk'
import { runningCalls } from '../../calls/running-calls.js'
import type { Settings } from '../../settings/settings.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { withOwnDatabase } from './visitors-place.js'

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

/** Throws a `CommandError` where there is no data directory. A pause in a new directory would stop no calls. */
export function refuseNowhere({ databaseUrl, dataDirectory }: Settings, what = 'is no call desk'): void {
  if (databaseUrl || existsSync(dataDirectory)) return
  throw new CommandError(
    'no_data_directory',
    `There is no data directory at ${resolve(dataDirectory)}, so there ${what} either: set DATA_DIR to the directory of the server`,
  )
}
