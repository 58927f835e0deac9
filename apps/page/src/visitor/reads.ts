export { findVisitorAt } from './find-visitor.js'
export { logVisitors } from './list-visitors.js'
export { readTexts } from './read-texts.js'
