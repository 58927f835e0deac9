import type { OperatorsErrorCode } from '@heyline/back-office'
import type { OfficeClient } from '@heyline/back-office/client'
import type { VisitorErrorCode } from '@heyline/backend'
import { CommandError } from '../command/terminal/command-error.js'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

/** What the command does with the visitors' own knowledge. */
export type KnowledgePlace = OfficeClient['knowledge']

const ERRORS: OfficeErrors<OperatorsErrorCode | VisitorErrorCode | 'knowledge_unreachable'> = {
  passedOn: [
    'file_refused',
    'file_not_found',
    'file_gone',
    'knowledge_full',
    'busy',
    'not_supported',
    'too_large',
    'visitor_not_found',
  ],
  unreachable: 'knowledge_unreachable',
  make: (code, message, options) => new CommandError(code, message, options),
  look: 'heyline visitors knowledge SLUG',
}

/** The knowledge of a running server's visitors, through `/-/office`. */
export const runningKnowledge = (serverUrl: string, secretKey: string): KnowledgePlace =>
  runningOffice(serverUrl, secretKey, ERRORS).knowledge
