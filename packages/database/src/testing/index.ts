export { findPostgres, startPostgres } from './postgres-server.js'
export { openTestDb } from './test-db.js'
