export { type Exposure, type ExposureKind, findExposures } from './access/exposure.js'
export { VISITOR_ACCESS, type VisitorAccess } from './access/visitor-access.js'
export type { LinkMail } from './auth/links/link-routes.js'
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
export {
  type ImportOptions,
  type ImportReport,
  REPLACEABLE,
  type ReplaceableColumn,
} from './visitors/import-visitors.js'
export {
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  type VisitorChanges,
} from './visitors/new-visitor.js'
export { privateSlug } from './visitors/private-slug.js'
export type { ListedVisitor, Visitor, VisitorPage } from './visitors/visitor.js'
export { VisitorError, type VisitorErrorCode } from './visitors/visitor-error.js'
export { createVisitors, LIST_LIMIT, type Visitors } from './visitors/visitors.js'
