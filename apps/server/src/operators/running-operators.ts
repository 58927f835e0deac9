import {
  type OperatorOffice,
  OperatorsError,
  type OperatorsErrorCode,
  operatorLine,
  operatorRole,
  removedOperator,
  resetLink,
  sentLink,
  setupLink,
} from '@heyline/back-office'
import { z } from 'zod'
import { AdminDoor, type DoorErrors } from '../calls/admin-door.js'

/** What a server says by these codes, it says for us; all else means that it can't be used. */
const PASSED_ON: readonly string[] = [
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
] satisfies OperatorsErrorCode[]

const isPassedOn = (code: string): code is OperatorsErrorCode => PASSED_ON.includes(code)

const ERRORS: DoorErrors = {
  refused: (code, message) => new OperatorsError(isPassedOn(code) ? code : 'operators_unreachable', message),
  unreachable: (message, cause) => new OperatorsError('operators_unreachable', message, { cause }),
  isOurs: (error) => error instanceof OperatorsError,
  look: 'heyline operators list',
}

/** Longest that a change may take, in ms: several calls at the auth wire, and a mail. */
const CHANGE_MS = 60_000

/** The operators of a running server, through `/-/admin`. */
export function runningOperators(serverUrl: string, secretKey: string): OperatorOffice {
  const door = new AdminDoor(serverUrl, secretKey, ERRORS)
  const change = (what: string, asked: unknown = {}) => door.post(`/operators/${what}`, asked, CHANGE_MS)
  return {
    list: async () => z.array(operatorLine).parse(await door.get('/operators')),
    invite: async (asked) => sentLink.parse(await change('invite', asked)),
    setRole: async (asked) => operatorRole.parse(await change('role', asked)),
    remove: async (email) => removedOperator.parse(await change('remove', { email })),
    reset: async (email) => resetLink.parse(await change('reset', { email })),
    setup: async () => setupLink.parse(await change('setup')),
  }
}
