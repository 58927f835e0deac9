import type { AssistantOverrides } from './assistant.js'
import type { EndedReason } from './call.js'
import type { OpenString } from './open-string.js'
import type { ListQuery, PageQuery } from './page.js'

/** Query of `calls.list`. */
export interface ListCalls extends ListQuery {
  id?: string
  assistantId?: string
  phoneNumberId?: string
}

/** Query of `calls.listPage`, `calls.pages`, `calls.listMetadata` and `calls.metadataPages`. A call must meet all that is given. */
export interface ListCallsPage extends PageQuery {
  id?: string
  /** Any of these calls. */
  idAny?: string[]
  assistantId?: string
  phoneNumberId?: string
  endedReason?: EndedReason
  successEvaluation?: string
  /** US dollars. */
  cost?: number
  /** US dollars, at least. */
  costGe?: number
  /** US dollars, at most. */
  costLe?: number
  /** The customer's number, 3–40 characters; E.164 unless `numberE164CheckEnabled` is false. */
  number?: string
  /** Default true. */
  numberE164CheckEnabled?: boolean
  /** The customer's extension; at most 10 characters. */
  extension?: string
  /** The customer's SIP address. */
  sipUri?: string
  /** The customer's name; at most 40 characters. */
  name?: string
  /** The customer's email; at most 40 characters. */
  email?: string
  /** The developer's own id of the customer; at most 40 characters. */
  externalId?: string
  /** The customer's overrides; sent as JSON. */
  assistantOverrides?: AssistantOverrides
}

/** A column of an export. */
export type CallColumn = OpenString<
  | 'id'
  | 'assistantId'
  | 'squadId'
  | 'customerId'
  | 'customerName'
  | 'customerNumber'
  | 'customerSipUri'
  | 'customerExtension'
  | 'phoneNumberId'
  | 'endedReason'
  | 'type'
  | 'duration'
  | 'startedAt'
  | 'endedAt'
  | 'transcript'
  | 'summary'
  | 'successEvaluation'
  | 'recordingUrl'
  | 'cost'
  | 'phoneCallProvider'
  | 'phoneCallProviderId'
  | 'createdAt'
  | 'updatedAt'
>

/** Query of `calls.export`. */
export interface ExportCalls extends ListCallsPage {
  /** Default: all of them. */
  columns?: CallColumn | CallColumn[]
  /** True exports in the background, and the answer names the job; false waits for the CSV. Default true. */
  async?: boolean
}
