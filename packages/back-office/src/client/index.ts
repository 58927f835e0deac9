export { TEST_SLUG } from '@heyline/call-desk/test-slug'
export type { ExchangeOptions } from './exchange.js'
export { createOfficeClient, type OfficeClient } from './office-client.js'
export { OfficeError } from './office-error.js'
