import type { BackendKeys } from '../index.js'

export const KEYS: BackendKeys = {
  publishable: 'sb_publishable_of_the_tests',
  secret: 'sb_secret_that_only_the_server_knows',
  jwtSecret: 'a-jwt-secret-of-the-tests-with-32-characters',
}
