export { type ShippedPart, shippedParts } from './shipped-parts.js'
export { SIZE_LIMITS } from './size-limits.js'
