import { createTimeline, type Timeline } from '@heyline/timeline'
import { runningTimeline } from '../../timeline/running-timeline.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the timeline: at the running server, or, if no server runs, in the database itself. */
export async function withTimeline(context: CommandContext, work: (timeline: Timeline) => Promise<void>) {
  refuseNowhere(context.settings, 'is no timeline')
  return withOwnDatabase(context, { running: runningTimeline, stopped: createTimeline }, work)
}
