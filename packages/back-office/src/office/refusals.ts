import { VisitorError, type VisitorErrorCode } from '@heyline/backend'
import { RecordsError, type RecordsErrorCode } from '@heyline/call-desk'
import { BackupError, DatabaseError, isOutage } from '@heyline/database'
import {
  EndpointError,
  type EndpointErrorCode,
  TimelineError,
  type TimelineErrorCode,
} from '@heyline/timeline'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import { LinesError } from '../lines/lines-error.js'
import { OperatorsError, type OperatorsErrorCode } from '../operators/operators-error.js'
import { InputRefused } from './input.js'

/** When to ask again while the database is away. */
const RETRY_SECONDS = 2

/** The status of each refusal. */
const STATUS = {
  invalid_visitor: 400,
  invalid_slug: 400,
  invalid_name: 400,
  slug_taken: 409,
  visitor_not_found: 404,
  too_large: 413,
  not_supported: 400,
  visitors_unreachable: 502,
  invalid_request: 400,
  invalid_phone: 400,
  invalid_id: 400,
  call_not_found: 404,
  several_calls: 409,
  slug_not_called: 404,
  not_listed: 404,
  call_running: 409,
  hiding_broken_off: 503,
  call_over: 409,
  not_a_phone_call: 409,
  visitor_gone: 409,
  desk_off: 409,
  key_used: 409,
  too_many_streams: 429,
  too_many_exports: 429,
  too_many_pages: 429,
  too_many_reads: 429,
  too_many_imports: 429,
  too_many_changes: 429,
  changed_in_part: 503,
  busy: 503,
  platform_unreachable: 502,
  calls_unreachable: 502,
  invalid_email: 400,
  invalid_role: 400,
  invalid_code: 403,
  weak_password: 422,
  operator_not_found: 404,
  already_operator: 409,
  account_gone: 409,
  last_owner: 409,
  setup_done: 409,
  setup_running: 409,
  no_secret_key: 409,
  undo_gone: 404,
  unauthorized: 401,
  forbidden: 403,
  step_up_needed: 403,
  not_an_operator: 403,
  second_factor_needed: 403,
  accounts_refused: 502,
  accounts_unreachable: 502,
  operators_unreachable: 502,
  foreign_page: 403,
  password_needed: 403,
  wrong_password: 403,
  too_many_attempts: 429,
  too_many_keys: 409,
  key_not_found: 404,
  assistant_not_found: 404,
  assistant_refused: 422,
  version_not_found: 404,
  no_test_calls: 409,
  test_call_refused: 409,
  too_many_test_calls: 429,
  invalid_event_id: 400,
  event_not_found: 404,
  several_events: 409,
  timeline_unreachable: 502,
  number_not_found: 404,
  number_refused: 422,
  file_refused: 422,
  file_not_found: 404,
  file_gone: 409,
  knowledge_full: 409,
  ticket_not_found: 404,
  endpoint_not_found: 404,
  too_many_endpoints: 409,
  invalid_target: 400,
  of_settings: 409,
  no_secret: 409,
  no_mail: 409,
} as const satisfies Record<
  VisitorErrorCode | RecordsErrorCode | OperatorsErrorCode | TimelineErrorCode | EndpointErrorCode,
  ContentfulStatusCode
>

/** What is answered in place of what was asked for. */
export interface Refusal {
  status: ContentfulStatusCode
  code: string
  message: string
  field?: string | undefined
  /** After how many seconds to ask again. */
  waitSeconds?: number | undefined
}

/** How an error is answered. Undefined for what is nobody's fault but ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  // Also where the database is away: what was done, and what was not, is said in its words.
  const isHalfDone =
    (error instanceof RecordsError && error.code === 'hiding_broken_off') ||
    (error instanceof OperatorsError && error.code === 'changed_in_part')
  if (isOutage(error) && !isHalfDone)
    return {
      status: 503,
      code: 'database_away',
      message: 'The database cannot be used now: try again in a moment',
      waitSeconds: RETRY_SECONDS,
    }
  if (error instanceof InputRefused)
    return { status: 400, code: error.code, message: error.message, field: error.field }
  if (error instanceof OperatorsError)
    return {
      status: STATUS[error.code],
      code: error.code,
      message: error.message,
      waitSeconds: error.waitSeconds,
    }
  if (error instanceof AuthWireError) return refusalOfAccounts(error)
  if (error instanceof EndpointError)
    return {
      status: STATUS[error.code],
      code: error.code,
      message: error.message,
      field: error.code === 'invalid_target' ? 'target' : undefined,
    }
  if (
    error instanceof VisitorError ||
    error instanceof RecordsError ||
    error instanceof TimelineError ||
    error instanceof LinesError
  )
    return { status: STATUS[error.code], code: error.code, message: error.message }
  if (error instanceof BackupError || error instanceof DatabaseError)
    return { status: 409, code: error.code, message: error.message }
  return undefined
}

/** What the auth wire refuses has its words and its code, which the console knows. */
function refusalOfAccounts({ status, code, message, waitSeconds }: AuthWireError): Refusal {
  if (status >= 400 && status < 500)
    return { status: status as ContentfulStatusCode, code, message, waitSeconds }
  return { status: 502, code: 'accounts_unreachable', message: "The accounts can't be reached: try again" }
}
