import { setTimeout as delay } from 'node:timers/promises'
import { exported, storeVisitors } from '../aims/office.js'
import type { Flood } from '../flood.js'

/** So long an export is held, and not read. */
const UNREAD_MS = 3_000

export const exportsAtOnce: Flood = {
  what: 'exports that are not read',
  atOnce: 20,
  prepare: storeVisitors,
  begin: (server) => async () => {
    const leaving = new AbortController()
    const timer = setTimeout(() => leaving.abort(), UNREAD_MS)
    try {
      await exported(server, leaving.signal)
      await delay(UNREAD_MS)
    } finally {
      clearTimeout(timer)
      leaving.abort()
    }
  },
}
