export { findVisitorAt, readVisitor } from './find-visitor.js'
export { listVisitors } from './list-visitors.js'
