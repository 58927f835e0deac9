import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { chat, costlyRooms, greetedRoom, TEXT, withMetadata } from '../aims/web-calls.js'
import { stranger } from '../attack.js'
import type { Flood } from '../flood.js'

/** What all strangers together may hold by default (`WEB_CALL_LIMIT_CONCURRENT`). */
const ROOMS = 20
/** Those may begin twelve each in ten minutes, which is what all of them may in a minute by default. */
const NETWORKS = 5
/** Addresses from here on have no rooms of other floods, which share the limits of their addresses. */
const FREE = 300_000
/** A greeting of that many seconds is not yet over. */
const LISTENED_MS = 10_000

export const webCalls: Flood = {
  what: 'browser calls from one address',
  begin: (server) => () => server.openRoom(stranger(FREE)),
}

export const metadata: Flood = {
  what: 'browser calls with a megabyte of metadata',
  begin(server) {
    const body = withMetadata(server)
    const headers = { authorization: `Bearer ${server.keys.platformPublic}` }
    return (place) => server.status(stranger(place), '/-/platform/call/web', { body, headers })
  },
}

export const chatMoney: Flood = {
  what: 'chats of one word from five networks',
  begin: (server) => (place) => chat(server, stranger(FREE + 1 + (place % NETWORKS))),
}

export const modelRequests: Flood = {
  what: 'texts in twenty rooms',
  async begin(server) {
    const sockets = await costlyRooms(server, ROOMS)
    return async (place) => sockets[place % sockets.length]?.send(TEXT)
  },
}

export const firstWords: Flood = {
  what: 'sixty rooms that greet',
  perSecond: 60,
  atOnce: 60,
  begin: (server) => async (place) => {
    const visit = 2 * FREE + place
    const room = await greetedRoom(server, visit)
    if (room === undefined) return
    const socket = await server.join(stranger(visit), room)
    await Promise.race([once(socket, 'close'), delay(LISTENED_MS)])
    socket.terminate()
  },
}
