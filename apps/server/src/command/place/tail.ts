import { CommandError } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, runningServer } from './own-database.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** What is followed. */
export interface Tail<Place, Change> {
  /** Like "calls". */
  what: string
  /** The code of the error where the server stops. */
  unreachable: string
  reach(context: CommandContext, work: (place: Place) => Promise<void>): Promise<void>
  follow(place: Place, signal: AbortSignal): AsyncIterable<Change[]>
  lineOf(change: Change): string
}

/** Prints a line for each change, of every process on the database, until SIGINT or SIGTERM. */
export async function tail<Place, Change>(
  context: CommandContext,
  { json = false }: { json?: boolean },
  { what, unreachable, reach, follow, lineOf }: Tail<Place, Change>,
): Promise<void> {
  const { settings, terminal } = context
  refuseNowhere(settings)
  // On a database of this process alone nothing can happen, and no server could start.
  if (!settings.databaseUrl && !(await runningServer(settings)))
    throw new CommandError('no_server', 'No server runs on this data directory: start one, then follow it')
  const interrupted = new AbortController()
  const stop = () => interrupted.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  // Whoever read it has gone, and no change comes.
  terminal.out.once('error', stop)
  try {
    await reach(context, async (place) => {
      if (!json) terminal.error(`heyline: following the ${what}; Ctrl-C ends it`)
      for await (const changes of follow(place, interrupted.signal))
        for (const change of changes)
          await printText(`${json ? JSON.stringify(change) : lineOf(change)}\n`, terminal.out)
    })
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    terminal.out.off('error', stop)
  }
  if (!interrupted.signal.aborted)
    throw new CommandError(unreachable, 'The server has stopped: there will be no more changes')
}
