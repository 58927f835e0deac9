import { click, longestRooms, ReturningClient, SAID, said, silentRooms } from '../aims/rooms.js'
import { stranger, times } from '../attack.js'
import type { Flood } from '../flood.js'

const CLICKING = 6
const COMING_BACK = 6
/** Addresses from here on may open all the connections of a minute, which other floods need. */
const FREE = 700_000

export const clicks: Flood = {
  what: 'clicks of the tongue in six rooms',
  // In each room one after the other, as fast as time goes.
  atOnce: CLICKING,
  async begin(server) {
    const idle = await longestRooms(server, CLICKING)
    return async () => {
      const socket = idle.pop()
      if (!socket) return
      await click(socket, 1)
      idle.push(socket)
    }
  },
}

export const comingBack: Flood = {
  what: 'six clients that come back to their rooms',
  atOnce: COMING_BACK,
  async begin(server) {
    const idle = await Promise.all(
      times(COMING_BACK).map((place) => ReturningClient.enter(server, stranger(FREE + place))),
    )
    return async () => {
      const client = idle.pop()
      if (!client) return
      // One that has come back too often in a minute is refused, and tries again.
      await client.comeBack().finally(() => idle.push(client))
    }
  },
}

export const words: Flood = {
  what: 'texts of 9,500 ﷺ in ten rooms',
  perSecond: (1_000 / SAID.everyMs) * SAID.rooms,
  async begin(server) {
    const sockets = await silentRooms(server, SAID.rooms)
    const message = said('ﷺ')
    return async (place) => sockets[place % sockets.length]?.send(message)
  },
}
