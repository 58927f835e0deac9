import type { Db } from '@heyline/database'
import { type BackendEnd, openBackend } from '../../ends/backend-end.js'
import { openMail } from '../../ends/mail-end.js'
import type { OperatorsEndOptions } from '../../ends/operators-end.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { openLog } from '../../log/log.js'
import type { CommandContext } from '../terminal/terminal.js'
import { withOwnDatabase } from './own-database.js'

/** How what the backend has is reached. */
interface Ways<Place> {
  /** Through a running server, with the secret key. */
  running: (url: string, secretKey: string) => Place
  /** At a backend that is opened for the command. */
  stopped: (opened: OperatorsEndOptions & { backend: BackendEnd }) => Place
}

/** Works through the running server, or, with none running, with a backend on the database itself. */
export function withOwnBackend<Place>(
  context: CommandContext,
  { running, stopped }: Ways<Place>,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  let backend: BackendEnd | undefined
  const opened = (db: Db) => {
    const { settings, terminal } = context
    const keys = openDataDirectory(settings.dataDirectory, settings.keys)
    const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`
    const logger = openLog({ level: 'warn', out: terminal.err })
    // Nobody sends requests to it.
    const options = {
      settings,
      db,
      keys,
      publicUrl,
      functions: {},
      addressOf: () => undefined,
      keepAddress: () => {},
      logger,
    }
    backend = openBackend(options)
    return stopped({ ...options, backend, mail: openMail(settings, publicUrl) })
  }
  return withOwnDatabase(context, { running, stopped: opened, usesKeys: true }, async (place) => {
    try {
      await work(place)
    } finally {
      await backend?.close()
    }
  })
}
