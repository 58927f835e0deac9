import type { CallRow } from './call-row.js'

/** What authorises, by the names that the platform gives it: in servers, models, voices, transcribers, tools, hooks and credentials. */
const SECRETS = new Set([
  'accessToken',
  'apiKey',
  'apiSecret',
  'authToken',
  'authenticationPlan',
  'authenticationSession',
  'authorization',
  'clientSecret',
  'credentials',
  'headers',
  'password',
  'refreshToken',
  'secret',
  'secretKey',
  'token',
])

/** A call as its server messages show it: without what authorises anything, at any depth. */
export const withoutSecrets = (row: CallRow): CallRow => ({
  ...row,
  assistant: shown(row.assistant),
  assistant_given: shown(row.assistant_given),
  overrides: shown(row.overrides),
  customer: shown(row.customer),
})

/** What comes from JSON, and goes into JSON. */
const shown = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (name, inner: unknown) => (SECRETS.has(name) ? undefined : inner)))
