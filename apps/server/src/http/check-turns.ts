import { setImmediate as pause } from 'node:timers/promises'
import { NoTurnError, WaitingLines } from '@heyline/kit/waiting-line'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { placeOfAsker } from './asker.js'
import type { ClientAddresses } from './client-addresses.js'

/** Where anybody's body is read and checked before anything is known of him: each may take milliseconds of everybody's time. */
const CHECKED =
  /^\/-\/(hooks\/|carriers\/|platform\/call\/web\/?$|backend\/auth\/v1\/(token|recover|verify)$|office\/session\/)/
/** So many are checked at once. All others that the edge lets in may wait: the platform sends many messages from few addresses. */
const OF_ADDRESS = { atOnce: 2, waiting: 98, longestMs: 5_000 }
const OF_NETWORK = { atOnce: 10, waiting: 490, longestMs: 5_000 }
const RETRY_S = 1
/** Of an answer that nobody reads: the request was given up. */
const CLIENT_GONE = 499

/** Lets two such requests of one address be handled at a time, and ten of one network (/24, /48). */
export function checkTurns(clients: ClientAddresses): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const addresses = new WaitingLines(OF_ADDRESS)
  const networks = new WaitingLines(OF_NETWORK)
  return async (context, next) => {
    const { raw: request, path, method } = context.req
    if (method !== 'POST' || !CHECKED.test(path)) return next()
    const { incoming } = context.env
    const asker = clients.asker(request, incoming) ?? { address: '' }
    const client = placeOfAsker(asker)
    const handled = async () => {
      // Those that follow on each other at once would let nothing else happen until all of a flood are answered.
      await pause()
      if (request.signal.aborted) return new Response(null, { status: CLIENT_GONE })
      await next()
      return undefined
    }
    try {
      // Clients behind a proxy that nobody has told us of are no network of their own.
      return await (asker.told === undefined
        ? addresses.run(client.address, () => networks.run(client.network, handled))
        : addresses.run(client.address, handled))
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error
      return busy()
    }
  }
}

/** Pages of other origins may start calls, and so may read that they have to wait. */
const busy = (): Response =>
  Response.json(
    { code: 'busy', message: 'Too many requests from here are being checked. Try again in a moment.' },
    {
      status: 503,
      headers: {
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
        'retry-after': String(RETRY_S),
      },
    },
  )
