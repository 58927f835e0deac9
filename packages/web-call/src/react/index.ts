export type { CallState } from './call-state.js'
export { CallStore } from './call-store.js'
export type { Readable } from './readable.js'
export { useVolume, useWebCall, type WebCall } from './use-web-call.js'
