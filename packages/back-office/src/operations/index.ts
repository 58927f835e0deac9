export * from './operation.js'
export { eachOperation, OPERATIONS, type Operations } from './operations.js'
