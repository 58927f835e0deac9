// What the operator API and its clients describe visitors by. Nothing here reaches a database.
export { REPLACEABLE, type ReplaceableColumn } from './import-visitors.js'
export { LONGEST_FIRST_MESSAGE, newVisitor, visitorChanges, visitorRefusal } from './new-visitor.js'
export { MOST_FOUND, SEARCH_SORTS } from './visitor-query.js'
