import { openEndpoints } from '../../ends/events-end.js'
import { openMail } from '../../ends/mail-end.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { type EndpointsPlace, runningEndpoints } from '../../timeline/running-endpoints.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the endpoints: at the running server, or, if no server runs, in the database itself. */
export async function withEndpoints(
  context: CommandContext,
  work: (endpoints: EndpointsPlace) => Promise<void>,
) {
  const { settings } = context
  refuseNowhere(settings, 'are no endpoints')
  const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`
  return withOwnDatabase<EndpointsPlace>(
    context,
    {
      running: runningEndpoints,
      usesKeys: true,
      stopped: (db) =>
        openEndpoints({
          settings,
          db,
          keys: openDataDirectory(settings.dataDirectory, settings.keys),
          publicUrl,
          mail: openMail(settings, publicUrl),
        }),
    },
    work,
  )
}
