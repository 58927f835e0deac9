import { setTimeout as delay } from 'node:timers/promises'
import { deafReader, keyOf, LOOKAHEAD, listLongest, VISITORS } from '../aims/reads.js'
import { stranger, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Flood, Step } from '../flood.js'

/** So long a client holds what it does not read. */
const DEAF_MS = 3_000

/** The same read, each time of another stranger. */
const read =
  (server: AttackedServer, query: string): Step =>
  (place) =>
    server.status(stranger(place), `${VISITORS}?${query}`, { headers: keyOf(server) })

export const regularExpressions: Flood = {
  what: 'regular expressions that look ahead',
  begin: (server) => read(server, `select=slug&system=match.${LOOKAHEAD}`),
}

export const columns: Flood = {
  what: 'a column 1,500 times',
  begin: (server) => read(server, `select=${times(1_500).map((place) => `c${place}:system`)}`),
}

export const lists: Flood = {
  what: 'reads of all that is listed',
  begin: (server) => read(server, 'select=*&system=ilike.*a*e*i*o*'),
}

export const slugs: Flood = {
  what: 'guesses of slugs from one address',
  begin: (server) => (place) => server.status(stranger(1), `/lead-${place}`),
}

export const deafReaders: Flood = {
  what: 'clients that do not read',
  prepare: listLongest,
  begin: (server) => async (place) => {
    const socket = await deafReader(server, stranger(place))
    await delay(DEAF_MS)
    socket.destroy()
  },
}
