export { storeVisitors } from './attempted.js'
export {
  type ImportOptions,
  type ImportReport,
  importVisitors,
  REPLACEABLE,
  type ReplaceableColumn,
} from './import-visitors.js'
export {
  LONGEST_PROMPT,
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  type VisitorChanges,
} from './new-visitor.js'
export { likeSlug, offeredSlug, privateSlug } from './private-slug.js'
export {
  addVisitor,
  listVisitors,
  removeVisitor,
  removeVisitors,
  updateVisitor,
} from './stored-visitor.js'
export type { ListedVisitor, Visitor, VisitorPage } from './visitor.js'
export { VisitorError, type VisitorErrorCode } from './visitor-error.js'
export { type MeasuredVisitor, measureVisitors, visitorsOf } from './visitor-parts.js'
export {
  type FoundVisitors,
  MOST_FOUND,
  type VisitorQuery,
  type VisitorSearch,
} from './visitor-query.js'
export { createVisitorSearch } from './visitor-search.js'
export { createVisitors, LIST_LIMIT, type Visitors } from './visitors.js'
