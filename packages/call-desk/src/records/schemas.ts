// What the operator API and its clients describe calls by. Nothing here reaches a database.
export { CALL_STATES, type CallState } from '../call/call-state.js'
export { DO_NOT_CALL_LIMIT, doNotCallPage } from '../gate/do-not-call.js'
export { callChange, callRecord } from './call-record.js'
export { deskStatus } from './desk-status.js'
export { CALL_LIST_LIMIT, callPage } from './list-calls.js'
