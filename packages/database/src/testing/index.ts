export { findPostgres, startPostgres } from './postgres-server.js'
export { openTestDb } from './test-db.js'
export { createTestDirectory } from './test-directory.js'
export { openTestPostgres } from './test-postgres.js'
