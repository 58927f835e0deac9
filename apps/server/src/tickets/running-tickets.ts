import type { OperatorsErrorCode } from '@heyline/back-office'
import type { OfficeClient } from '@heyline/back-office/client'
import { CommandError } from '../command/terminal/command-error.js'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

/** What the command does with support tickets. */
export type TicketsPlace = OfficeClient['tickets']

const ERRORS: OfficeErrors<OperatorsErrorCode | 'tickets_unreachable'> = {
  passedOn: ['ticket_not_found', 'not_supported'],
  unreachable: 'tickets_unreachable',
  make: (code, message, options) => new CommandError(code, message, options),
  look: 'heyline tickets list',
}

/** The support tickets of a running server, through `/-/office`. */
export const runningTickets = (serverUrl: string, secretKey: string): TicketsPlace =>
  runningOffice(serverUrl, secretKey, ERRORS).tickets
