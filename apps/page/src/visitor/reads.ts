export { findVisitor, readVisitor } from './find-visitor.js'
export { listVisitors } from './list-visitors.js'
