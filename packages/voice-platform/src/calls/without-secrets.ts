import { SEALED } from '../assistants/tool-secrets.js'
import type { CallRow } from './call-row.js'

/** The platform's names of secret fields, in servers, models, voices, transcribers, tools, hooks and credentials. */
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
  SEALED,
  'secret',
  'secretKey',
  'token',
])

/** A call as its server messages show it: without secret fields, at any depth. */
export const withoutSecrets = (row: CallRow): CallRow => ({
  ...row,
  assistant: shown(row.assistant),
  assistant_given: shown(row.assistant_given),
  overrides: shown(row.overrides),
  customer: shown(row.customer),
})

/** A value without secret fields. It comes from JSON, so that it survives the way through it. */
export const shown = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (name, inner: unknown) => (SECRETS.has(name) ? undefined : inner)))
