import type { OperatorOffice } from '@heyline/back-office'
import { NO_SECRET_KEY, type OperatorsEndOptions, openOperators } from '../../ends/operators-end.js'
import { runningOperators } from '../../operators/running-operators.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { withOwnBackend } from './backend-place.js'
import { refuseNowhere } from './own-database.js'

/** Reaches the operators: at the running server, or, if no server runs, in the database itself. */
export async function withOperators(
  context: CommandContext,
  work: (operators: OperatorOffice) => Promise<void>,
) {
  const { settings } = context
  refuseNowhere(settings, 'are no operators')
  if (settings.backend && !settings.backend.secretKey) throw new CommandError('no_secret_key', NO_SECRET_KEY)
  return withOwnBackend(context, { running: runningOperators, stopped: stoppedOperators }, work)
}

function stoppedOperators(options: OperatorsEndOptions): OperatorOffice {
  const end = openOperators(options)
  if (!end) throw new CommandError('no_secret_key', NO_SECRET_KEY)
  return end.operators.as({ name: 'command' })
}
