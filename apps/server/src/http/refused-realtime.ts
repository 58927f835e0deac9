import { refuseRealtime } from '@heyline/backend'
import type { SocketRoute } from './upgrade.js'

/** Where Supabase's client looks for Realtime. Any origin may hear that there is none, as with all of the backend. */
export const refusedRealtime: SocketRoute = {
  path: /^\/-\/backend\/realtime\/v1\/websocket$/,
  protocols: [],
  plain: true,
  refuse: () => undefined,
  accept: (socket) => refuseRealtime(socket),
}
