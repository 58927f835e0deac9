import type { OperatorOffice } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openBackend } from '../../ends/backend-end.js'
import { NO_SECRET_KEY, openOperators } from '../../ends/operators-end.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { openLog } from '../../log/log.js'
import { runningOperators } from '../../operators/running-operators.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere } from './calls-place.js'
import { withOwnDatabase } from './visitors-place.js'

/** Reaches the operators: at the running server, or, if no server runs, in the database itself. */
export async function withOperators(
  context: CommandContext,
  work: (operators: OperatorOffice) => Promise<void>,
) {
  const { settings } = context
  refuseNowhere(settings, 'are no operators')
  if (settings.backend && !settings.backend.secretKey) throw new CommandError('no_secret_key', NO_SECRET_KEY)
  return withOwnDatabase(
    context,
    { running: runningOperators, stopped: (db) => stoppedOperators(context, db) },
    work,
  )
}

function stoppedOperators({ settings, terminal }: CommandContext, db: Db): OperatorOffice {
  const keys = openDataDirectory(settings.dataDirectory, settings.keys)
  const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`
  const logger = openLog('warn', terminal.err)
  const backend = openBackend({ settings, db, keys, publicUrl, functions: {}, logger })
  const end = openOperators({ settings, db, keys, publicUrl, backend })
  if (!end) throw new CommandError('no_secret_key', NO_SECRET_KEY)
  return end.operators.as({ name: 'command' })
}
