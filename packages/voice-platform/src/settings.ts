// What the settings of a server and its commands are checked by. Nothing here opens a database or a socket, so that a command which needs no more starts at once.

export { MOST_PUBLIC_PROMPT } from './calls/public-limits.js'
export { isSipCaller, isSipTemplate, namesNumber } from './carriers/sip/sip-address.js'
