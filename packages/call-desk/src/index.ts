export { CALL_ERRORS, type CallErrorCode } from './call/call-error.js'
export { CALL_MOVES, CALL_STATES, type CallState, canMove } from './call/call-state.js'
export { type ClientAddress, clientAt, placeOf, readClientAddress } from './call/client-address.js'
export { ClientPlaces } from './call/client-places.js'
export { OUTCOMES, outcomeOf } from './call/outcome.js'
export { numberParts, parsePhoneNumber } from './call/phone-number.js'
export { readText } from './call/request-body.js'
export { TEST_SLUG } from './call/test-slug.js'
export type { FindVisitor, Visitor } from './call/visitor-lookup.js'
export { type CallDesk, type CallDeskOptions, createCallDesk } from './call-desk.js'
export { DO_NOT_CALL_LIMIT, type DoNotCallPage, doNotCallPage } from './gate/do-not-call.js'
export type { OwnNumbers } from './gate/gate.js'
export { REFUSALS, type Refusal } from './gate/refusal.js'
export { refusalText } from './gate/refusal-text.js'
export { readSwitches } from './gate/switches.js'
export { createTransferGate } from './gate/transfer-gate.js'
export { type AltchaOptions, createAltcha } from './human-check/altcha.js'
export type { CheckContext, HumanCheck } from './human-check/human-check.js'
export { createTurnstile, type TurnstileOptions } from './human-check/turnstile.js'
export type { LimitUse } from './operating/limit-use.js'
export { createOperatorDesk, type OperatorDesk } from './operating/operator-desk.js'
export { callRecordsOf, deskRowsOf, platformCallsOf } from './people/desk-rows.js'
export {
  callRunning,
  type ErasedFromDesk,
  eraseFromDesk,
  refuseRunning,
} from './people/erase-from-desk.js'
export { type Person, type PersonRows, parsePerson, slugsOf } from './people/person.js'
export { findToldMessages } from './people/told-messages.js'
export { DESK_TEXTS, oldestUntold } from './people/told-numbers.js'
export { endQueue } from './queue/end-queue.js'
export type { CallFilter } from './records/call-filter.js'
export { type CallOffice, createCallOffice } from './records/call-office.js'
export {
  type CallChange,
  type CallLine,
  type CallRecord,
  callChange,
  callRecord,
} from './records/call-record.js'
export { type CallerIds, createCallerIds } from './records/caller-ids.js'
export { type DeskFigures, readDeskFigures } from './records/desk-figures.js'
export { type DeskStatus, deskStatus } from './records/desk-status.js'
export type { DoNotCall } from './records/do-not-call-office.js'
export { CALL_LIST_LIMIT, type CallPage, type CallQuery, callPage } from './records/list-calls.js'
export { LiveFeed, type OtherNews } from './records/live-feed.js'
export { RecordsError, type RecordsErrorCode } from './records/records-error.js'
export { visitorOfCall } from './records/visitor-of-call.js'
export type { DeskMeasures } from './run/desk-measures.js'
export type { Leave } from './run/places.js'
export { Rate } from './run/rate.js'
export type { Timings } from './run/timings.js'
export * from './settings.js'
export type { PageChats } from './web-calls/page-chats.js'
export type { PublicCall } from './web-calls/public-call.js'
export type { TestCall } from './web-calls/test-call.js'
export type { WebCalls } from './web-calls/web-calls.js'
export type { WebCallReservation } from './web-calls/web-reservations.js'
