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
export { storeVisitors } from './visitors/attempted.js'
export {
  type ImportOptions,
  type ImportReport,
  importVisitors,
  REPLACEABLE,
  type ReplaceableColumn,
} from './visitors/import-visitors.js'
export {
  LONGEST_PROMPT,
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  type VisitorChanges,
} from './visitors/new-visitor.js'
export { likeSlug, offeredSlug, privateSlug } from './visitors/private-slug.js'
export {
  addVisitor,
  listVisitors,
  removeVisitor,
  removeVisitors,
  updateVisitor,
  visitorsOf,
} from './visitors/stored-visitor.js'
export type { ListedVisitor, Visitor, VisitorPage } from './visitors/visitor.js'
export { VisitorError, type VisitorErrorCode } from './visitors/visitor-error.js'
export {
  type FoundVisitors,
  MOST_FOUND,
  type VisitorQuery,
  type VisitorSearch,
} from './visitors/visitor-query.js'
export { createVisitorSearch } from './visitors/visitor-search.js'
export { createVisitors, LIST_LIMIT, type Visitors } from './visitors/visitors.js'
