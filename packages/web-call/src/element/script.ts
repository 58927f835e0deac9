import { defineHeylineCall, HeylineCall } from './index.js'

// What a script tag loads: the element is there, and its server is where the script is from.
HeylineCall.defaultServer = new URL(import.meta.url).origin
defineHeylineCall()

export { WebCallClient } from '../web-call-client.js'
export { HeylineCall }
