// What the settings of a server and its commands are checked by. Nothing here opens a database or a socket, so that a command which needs no more starts at once.

export { isCountry } from './call/phone-number.js'
export {
  type BreakerSettings,
  DEFAULT_GATE,
  DEFAULT_MINUTE_PRICE,
  type GateSettings,
  type Limit,
  LONGEST_SECONDS,
  type NumbersLimit,
  SIMULATED_GATE,
} from './gate/gate-settings.js'
export { longestCost } from './gate/longest-cost.js'
export { type RaisedLimit, raisedLimits } from './gate/raised-limits.js'
export { defaultDisclosure, disclosureOf } from './placing/disclosure.js'
export { DEFAULT_RETENTION, type RetentionDays } from './retention/retention-days.js'
export { raisedWebLimits } from './web-calls/raised-web-limits.js'
export {
  DEFAULT_WEB_GATE,
  DEFAULT_WEB_MINUTE_PRICE,
  LONGEST_WEB_SECONDS,
  SIMULATED_WEB_GATE,
  type WebGateSettings,
} from './web-calls/web-gate-settings.js'
