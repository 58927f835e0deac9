import type { OperatorsErrorCode } from '@heyline/back-office'
import type { OfficeClient } from '@heyline/back-office/client'
import type { VisitorErrorCode } from '@heyline/backend'
import { CommandError } from '../command/terminal/command-error.js'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

/** What the command does with numbers. */
export type NumbersPlace = OfficeClient['numbers']

const ERRORS: OfficeErrors<OperatorsErrorCode | VisitorErrorCode | 'invalid_phone' | 'numbers_unreachable'> =
  {
    passedOn: [
      'invalid_phone',
      'number_not_found',
      'number_refused',
      'not_supported',
      'of_settings',
      'platform_unreachable',
      'visitor_not_found',
    ],
    unreachable: 'numbers_unreachable',
    make: (code, message, options) => new CommandError(code, message, options),
    look: 'heyline numbers list',
  }

/** The numbers of a running server, through `/-/office`. */
export const runningNumbers = (serverUrl: string, secretKey: string): NumbersPlace =>
  runningOffice(serverUrl, secretKey, ERRORS).numbers
