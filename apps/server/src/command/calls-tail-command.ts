import { once } from 'node:events'
import type { CallChange } from '@heyline/call-desk'
import type { Settings } from '../settings/settings.js'
import { durationText, harmless, moneyText, shortId, stateText, timeText } from './call-text.js'
import type { Json } from './calls-command.js'
import { withCalls } from './calls-place.js'
import { CommandError } from './command-error.js'
import { runningServer } from './visitors-place.js'

/** `heyline calls tail`: a line for each change of a state, of every process on the database, until SIGINT or SIGTERM. */
export async function tailCalls(settings: Settings, { json }: Json): Promise<void> {
  // On a database of this process alone nothing can happen, and no server could start.
  if (!settings.databaseUrl && !(await runningServer(settings)))
    throw new CommandError('no_server', 'No server runs on this data directory: start one, then follow it')
  const interrupted = new AbortController()
  const stop = () => interrupted.abort()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  // Whoever read it has gone: `heyline calls tail | head`.
  process.stdout.once('error', stop)
  await withCalls(settings, async (calls) => {
    if (!json) console.error('heyline: following the calls; Ctrl-C ends it')
    for await (const changes of calls.follow(interrupted.signal))
      for (const change of changes)
        if (!process.stdout.write(`${json ? JSON.stringify(change) : lineOf(change)}\n`))
          await once(process.stdout, 'drain')
  })
  if (!interrupted.signal.aborted)
    throw new CommandError('calls_unreachable', 'The server has stopped: no more changes are told')
}

function lineOf(change: CallChange): string {
  const { at, id, slug, phone, outcome, seconds, costMicrousd } = change
  const end = outcome === null ? [] : [outcome, durationText(seconds), moneyText(costMicrousd)]
  return [timeText(at), shortId(id), stateText(change).padEnd(11), harmless(slug), phone, ...end].join('  ')
}
