import type { Db } from '@heyline/database'
import { BoundedLog } from '@heyline/kit/bounded-log'
import { bringUp } from '../database/bring-up.js'
import { openDb } from '../database/open-db.js'
import { openEdge } from '../edge/edge.js'
import { foreignPages } from '../http/foreign-pages.js'
import { listen } from '../http/listening.js'
import { openDataDirectory } from '../keys/data-directory.js'
import type { KeyRing } from '../keys/keys.js'
import { settleKeys } from '../keys/shared-keys.js'
import { startTracing } from '../tracing/start-tracing.js'
import type { Closer, HeylineOptions, OpenParts } from './open-parts.js'

export interface Heyline extends OpenParts {
  close(): Promise<void>
}

/** Opens the server part by part. Parts close in reverse order, also when a later one cannot be opened. */
export async function startHeyline(options: HeylineOptions): Promise<Heyline> {
  const { settings, logger, outages, onParts } = options
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      try {
        await closer()
      } catch (err) {
        // One part that cannot be closed must not keep the others open.
        logger.error({ err }, 'a part of the server did not close cleanly')
      }
  }
  try {
    return await open()
  } catch (error) {
    await close()
    throw error
  }

  async function open(): Promise<Heyline> {
    const { dataDirectory, host, publicUrl: told, allowedOrigins, tracesEndpoint, trustProxy } = settings
    if (tracesEndpoint !== undefined) closers.push(await startTracing({ endpoint: tracesEndpoint, logger }))
    const keys = openDataDirectory(dataDirectory, settings.keys)
    const listening = await listen(settings.port, host, { idleMs: settings.keepAliveMs })
    closers.push(() => listening.close())
    const publicUrl = told ?? `http://localhost:${listening.port}`
    const isUrlUntold = told === undefined
    const isForeign = foreignPages({ publicUrl, allowedOrigins })
    const edge = openEdge({
      server: listening.server,
      host,
      publicUrl,
      isUrlUntold,
      trustProxy,
      logger,
      isForeign,
    })
    closers.push(() => edge.close())
    const log = new BoundedLog({ logger })
    closers.push(() => log.close())
    // The database opens in a thread or elsewhere, and keys are compared in another. Meanwhile the code of all other parts is loaded.
    const [database, parts] = await Promise.allSettled([openDatabase(keys), loadParts()])
    if (database.status === 'rejected') throw database.reason
    if (parts.status === 'rejected') throw parts.reason
    const db = database.value
    const { openParts, pageCode } = parts.value
    onParts?.()
    const foundation = { keys, listening, publicUrl, isForeign, edge, log, db, pageCode, closers }
    return { ...(await openParts(options, foundation)), close }
  }

  async function loadParts() {
    const { openParts, loadPageCode } = await import('./open-parts.js')
    return { openParts, pageCode: await loadPageCode(options) }
  }

  async function openDatabase(keys: KeyRing): Promise<Db> {
    const db = await openDb(settings, logger)
    // Everything that is open uses the database: it closes last.
    closers.unshift(() => db.close())
    if (outages) closers.push(outages.follow(db, logger))
    closers.push(await bringUp(db, logger))
    await settleKeys(db, { settings, keys }, logger)
    return db
  }
}
