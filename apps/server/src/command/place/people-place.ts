import { createPeople, type People } from '@heyline/back-office'
import { createVisitors } from '@heyline/backend/stored-visitors'
import { runningPeople } from '../../people/running-people.js'
import { hostedVisitors } from '../../visitors/hosted-visitors.js'
import type { CommandContext } from '../terminal/terminal.js'
import { checkPlace } from './calls-place.js'
import { withOwnDatabase } from './own-database.js'

/** Reaches what is stored about people: at the running server, or, if no server runs, in the database itself. */
export async function withPeople(context: CommandContext, work: (people: People) => Promise<void>) {
  checkPlace(context)
  const { backend } = context.settings
  return withOwnDatabase(
    context,
    {
      running: runningPeople,
      stopped: (db) => createPeople(db, backend ? hostedVisitors(backend) : createVisitors(db)),
    },
    work,
  )
}
