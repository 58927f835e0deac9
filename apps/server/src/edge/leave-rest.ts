import type { Socket } from 'node:net'

/** What Node's parser takes for an error of whoever handles a request's head. */
const FAILED = -1

/**
 * Has the parser leave what was read of a connection and not parsed. Node reads 64 KiB at a time, and hands on every request in them, a
 * thousand of them, even after the connection was paused or ended. It has no documented way to stop that: where this one should be gone,
 * the requests cost more and are still not handled.
 */
export function leaveRest(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', () => FAILED)
}
