import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../db/db.js'

/** Most rows that one statement takes, so that none takes long. */
export const MOST_IN_PART = 500

/** Shortest rest between two parts, in ms. Each rest is as long as the part was, so that others have half of the database's time. */
const LEAST_REST_MS = 20

/**
 * Takes part after part until one has fewer rows than `MOST_IN_PART`, or `signal` is aborted. `take` takes at most so many, and resolves with
 * how many it took. Resolves with how many rows that were.
 */
export async function inParts(take: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let taken = 0
  while (!signal?.aborted) {
    const began = performance.now()
    const count = await take()
    taken += count
    if (count < MOST_IN_PART) break
    const restMs = Math.max(LEAST_REST_MS, performance.now() - began)
    // Aborted, there is nothing to rest for.
    await delay(restMs, undefined, { signal }).catch(() => undefined)
  }
  return taken
}

/**
 * Has the transaction read in the order of an index, as far as a part goes. PGlite gathers no figures of what a table holds, so it takes all
 * rows for a few, and would read and sort all of them for each part.
 */
export async function readByIndex(tx: Queryable): Promise<void> {
  await tx.query(
    "select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)",
  )
}
