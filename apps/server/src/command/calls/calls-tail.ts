import type { CallChange } from '@heyline/call-desk'
import type { Settings } from '../../settings/settings.js'
import { refuseNowhere, withCalls } from '../place/calls-place.js'
import { runningServer } from '../place/visitors-place.js'
import { CommandError } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import {
  costText,
  durationText,
  harmless,
  outcomeText,
  placeText,
  shortId,
  stateText,
  timeText,
} from './call-text.js'
import type { Json } from './calls-command.js'

/** `heyline calls tail`: a line for each change of a state, of every process on the database, until SIGINT or SIGTERM. */
export async function tailCalls(settings: Settings, { json }: Json): Promise<void> {
  refuseNowhere(settings)
  // On a database of this process alone nothing can happen, and no server could start.
  if (!settings.databaseUrl && !(await runningServer(settings)))
    throw new CommandError('no_server', 'No server runs on this data directory: start one, then follow it')
  const interrupted = new AbortController()
  const stop = () => interrupted.abort()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  // Whoever read it has gone, and no change comes.
  process.stdout.once('error', stop)
  await withCalls(settings, async (calls) => {
    if (!json) console.error('heyline: following the calls; Ctrl-C ends it')
    for await (const changes of calls.follow(interrupted.signal))
      for (const change of changes) await printText(`${json ? JSON.stringify(change) : lineOf(change)}\n`)
  })
  if (!interrupted.signal.aborted)
    throw new CommandError('calls_unreachable', 'The server has stopped: there will be no more changes')
}

function lineOf(change: CallChange): string {
  const { at, id, slug, outcome, seconds } = change
  const end = outcome === null ? [] : [outcomeText(change), durationText(seconds), costText(change)]
  return [
    timeText(at),
    shortId(id),
    stateText(change).padEnd(11),
    harmless(slug),
    placeText(change),
    ...end,
  ].join('  ')
}
