import type { Socket } from 'node:net'

const addresses = new WeakMap<Socket, string>()

/**
 * Keeps the address of the other side, to be called when the connection begins: a socket that is reset has none any more, though the request that
 * came before may still be answered.
 */
export function keepAddress(socket: Socket) {
  if (socket.remoteAddress !== undefined) addresses.set(socket, socket.remoteAddress)
}

/** The address of the other side, as it is or was; undefined for one that was gone before its connection was accepted. */
export function socketAddress(socket: Socket): string | undefined {
  return addresses.get(socket) ?? socket.remoteAddress
}
