import type { Socket } from 'node:net'

/** What Node's parser takes for an error of whoever handles a request's head. */
const FAILED = -1

/**
 * Has the parser leave what was read of a connection and not parsed. Node reads 64 KiB at a time, and hands on every request and every piece
 * of a body in them, eleven thousand pieces, even after the connection was paused or ended. It has no documented way to stop that: where this
 * one should be gone, they cost more and are still not handled.
 */
export function leaveRest(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser !== 'object' || parser === null) return
  Reflect.set(parser, 'onIncoming', () => FAILED)
  // The parser skips what has no taker.
  const place: unknown = Reflect.get(parser.constructor, 'kOnBody')
  if (typeof place !== 'number') return
  const take: unknown = Reflect.get(parser, place)
  if (typeof take !== 'function') return
  Reflect.set(parser, place, undefined)
  // Then Node keeps the parser for another connection, and does not look whether it is whole.
  socket.prependOnceListener('close', () => Reflect.set(parser, place, take))
}
