import type { OperatorsErrorCode } from '@heyline/back-office'
import type { OfficeClient } from '@heyline/back-office/client'
import { CommandError } from '../command/terminal/command-error.js'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

/** What the command does with the versions of the stored assistant. */
export type AssistantPlace = Pick<OfficeClient['assistant'], 'versions' | 'version' | 'restore'>

const ERRORS: OfficeErrors<OperatorsErrorCode | 'assistant_unreachable'> = {
  passedOn: [
    'version_not_found',
    'assistant_not_found',
    'assistant_refused',
    'platform_unreachable',
    'not_supported',
  ],
  unreachable: 'assistant_unreachable',
  make: (code, message, options) => new CommandError(code, message, options),
  look: 'heyline assistant versions',
}

/** The assistant of a running server, through `/-/office`. */
export const runningAssistant = (serverUrl: string, secretKey: string): AssistantPlace =>
  runningOffice(serverUrl, secretKey, ERRORS).assistant
