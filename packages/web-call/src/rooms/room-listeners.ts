import type { CallRoom } from './call-room.js'
import type { RoomEventName, RoomListener } from './room-events.js'

export type RoomListeners = { [Name in RoomEventName]?: RoomListener<Name> }

/** Every listener takes this: TypeScript cannot follow that each name goes with its own listener through a loop. */
type Subscribe = (name: RoomEventName, listener: (event: never) => void) => unknown

/** Puts listeners on a room. The answer takes them all off. */
export function listenToRoom(room: CallRoom, listeners: RoomListeners): () => void {
  const entries = Object.entries(listeners) as [RoomEventName, (event: never) => void][]
  const on = room.on as Subscribe
  const off = room.off as Subscribe
  for (const [name, listener] of entries) on.call(room, name, listener)
  return () => {
    for (const [name, listener] of entries) off.call(room, name, listener)
  }
}
