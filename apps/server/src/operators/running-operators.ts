import { type OperatorOffice, OperatorsError, type OperatorsErrorCode } from '@heyline/back-office'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

const ERRORS: OfficeErrors<OperatorsErrorCode> = {
  passedOn: [
    'invalid_request',
    'invalid_email',
    'invalid_role',
    'operator_not_found',
    'already_operator',
    'account_gone',
    'last_owner',
    'setup_done',
    'no_secret_key',
    'accounts_refused',
    'accounts_unreachable',
  ],
  unreachable: 'operators_unreachable',
  make: (code, message, options) => new OperatorsError(code, message, options),
  look: 'heyline operators list',
}

/** The operators of a running server, through `/-/office`. */
export function runningOperators(serverUrl: string, secretKey: string): OperatorOffice {
  const { operators } = runningOffice(serverUrl, secretKey, ERRORS)
  return {
    list: () => operators.list(),
    invite: (asked) => operators.invite(asked),
    setRole: (asked) => operators.setRole(asked),
    remove: (email) => operators.remove({ email }),
    reset: (email) => operators.reset({ email }),
    setup: () => operators.setup(),
  }
}
