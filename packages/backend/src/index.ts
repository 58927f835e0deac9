export { type Exposure, type ExposureKind, findExposures } from './access/exposure.js'
export type { LinkMail } from './auth/links/link-mail.js'
export { MailNotTaken } from './auth/links/mail-not-taken.js'
export { authRowsOfNumber, eraseNumberFromAuth } from './auth/numbers/rows-of-number.js'
export {
  type Backend,
  type BackendAuthOptions,
  type BackendFunction,
  type BackendOptions,
  createBackend,
} from './backend.js'
export type { BackendKeys } from './keys/backend-keys.js'
export { refuseRealtime } from './other-services/refuse-realtime.js'
export * from './settings.js'
export * from './visitors/index.js'
