import { createVisitors, type Visitors } from '@heyline/backend/stored-visitors'
import { hostedVisitors } from '../../visitors/hosted-visitors.js'
import { runningVisitors } from '../../visitors/running-visitors.js'
import type { CommandContext } from '../terminal/terminal.js'
import { withOwnDatabase } from './own-database.js'

/** Reaches the visitors: in a hosted project, at the running server, or, if no server runs, in the database itself. */
export async function withVisitors(context: CommandContext, work: (visitors: Visitors) => Promise<void>) {
  const { settings } = context
  if (settings.backend) return work(hostedVisitors(settings.backend))
  return withOwnDatabase(context, { running: runningVisitors, stopped: createVisitors }, work)
}
