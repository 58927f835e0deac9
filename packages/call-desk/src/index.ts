export { type CallErrorCode, callErrors } from './call/call-error.js'
export { type CallState, callMoves, callStates, canMove } from './call/call-state.js'
export { isCountry, parsePhoneNumber } from './call/phone-number.js'
export type { FindVisitor, Visitor } from './call/visitor-lookup.js'
export { type CallDesk, type CallDeskOptions, createCallDesk } from './call-desk.js'
export { type DoNotCallPage, doNotCallLimit, doNotCallPage } from './gate/do-not-call.js'
export {
  type BreakerSettings,
  defaultGate,
  defaultMinutePrice,
  type GateSettings,
  type Limit,
  longestSeconds,
  type NumbersLimit,
  simulatedGate,
} from './gate/gate-settings.js'
export { type RaisedLimit, raisedLimits } from './gate/raised-limits.js'
export { type Refusal, refusals } from './gate/refusal.js'
export { type AltchaOptions, createAltcha } from './human-check/altcha.js'
export type { CheckContext, HumanCheck } from './human-check/human-check.js'
export { createTurnstile, type TurnstileOptions } from './human-check/turnstile.js'
export { defaultDisclosure, disclosureOf } from './placing/disclosure.js'
export { type CallOffice, createCallOffice } from './records/call-office.js'
export {
  type CallChange,
  type CallLine,
  type CallRecord,
  callChange,
  callRecord,
} from './records/call-record.js'
export { type DeskStatus, deskStatus } from './records/desk-status.js'
export type { DoNotCall } from './records/do-not-call-office.js'
export { type CallPage, type CallQuery, callListLimit, callPage } from './records/list-calls.js'
export { RecordsError, type RecordsErrorCode } from './records/records-error.js'
export type { Timings } from './run/timings.js'
