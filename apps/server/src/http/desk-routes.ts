import type { CallDesk } from '@heyline/call-desk'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { ClientAddresses } from './client-addresses.js'

export interface DeskRouteOptions {
  desk: Pick<CallDesk, 'hook' | 'challenge' | 'events'>
  liveStatus: boolean
  clients: ClientAddresses
}

/** The call desk's own paths, below `/-`; its webhook is a function of the backend. What pages ask is open to any origin: they may live elsewhere. */
export function deskRoutes({
  desk,
  liveStatus,
  clients,
}: DeskRouteOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('/hooks/platform', (context) => desk.hook(context.req.raw))
  app.all('/human-check', async (context) => {
    clients.keep(context.req.raw, context.env.incoming)
    return openToAll(await desk.challenge(context.req.raw))
  })
  if (liveStatus)
    app.all('/calls/:id/events', async (context) =>
      openToAll(await desk.events(context.req.raw, context.req.param('id'))),
    )
  return app
}

function openToAll(answer: Response): Response {
  answer.headers.set('access-control-allow-origin', '*')
  return answer
}
