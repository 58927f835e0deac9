// What the settings of a server and its commands are checked by. Nothing here opens a database or a socket, so that a command which needs no more starts at once.

export { isEndpointSecret } from './messages/signature.js'
export { urlProblem } from './outgoing/target-url.js'
