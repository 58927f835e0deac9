// What the settings of a server and its commands are checked by. Nothing here opens a database or a socket, so that a command which needs no more starts at once.

export { VISITOR_ACCESS, type VisitorAccess } from './access/visitor-access.js'
