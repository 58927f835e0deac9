import type { CallDesk } from '@heyline/call-desk'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { OriginGate } from './allowed-origins.js'
import type { ClientAddresses } from './client-addresses.js'

export interface DeskRouteOptions {
  desk: Pick<CallDesk, 'hook' | 'challenge' | 'events'>
  liveStatus: boolean
  clients: ClientAddresses
  /** Which pages may ask. */
  origins: OriginGate
}

/** The call desk's own paths, below `/-`; its webhook is a function of the backend. */
export function deskRoutes({
  desk,
  liveStatus,
  clients,
  origins,
}: DeskRouteOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('/hooks/platform', (context) => desk.hook(context.req.raw))
  app.all('/human-check', (context) => {
    clients.keep(context.req.raw, context.env.incoming)
    return origins(context.req.raw, (request) => desk.challenge(request))
  })
  if (liveStatus)
    app.all('/calls/:id/events', (context) => {
      clients.keep(context.req.raw, context.env.incoming)
      return origins(context.req.raw, (request) => desk.events(request, context.req.param('id')))
    })
  return app
}
