import { placeOf } from '@heyline/call-desk'
import { PHONE_PROTOCOL, ROOM_PROTOCOL } from '@heyline/room-protocol'
import type { PlatformEnd } from '../ends/platform-end.js'
import { clientOf, forwardedAddress } from './client.js'
import { mayUsePhone } from './pocket-phone.js'
import { type SocketRoute, targetOf } from './upgrade.js'

export interface SocketRouteOptions {
  builtIn: NonNullable<PlatformEnd['builtIn']>
  /** Origins of pages that may join rooms. A client that is no browser sends none; its secret is what counts. */
  origins: readonly string[]
  phoneKey?: string
  publicUrl: string
  /** How many proxies are in front, as of `TRUST_PROXY`. */
  trustProxy: number | undefined
}

/** The WebSockets of the built-in platform: rooms, the pocket phones' line, Twilio's media streams. */
export function socketRoutes({
  builtIn,
  origins,
  phoneKey,
  publicUrl,
  trustProxy,
}: SocketRouteOptions): SocketRoute[] {
  const { platform, carrier } = builtIn
  const rooms: SocketRoute = {
    path: /^\/-\/rooms\/([^/]+)$/,
    protocols: [ROOM_PROTOCOL],
    plain: true,
    refuse: ({ headers: { origin } }) => (origin === undefined || origins.includes(origin) ? undefined : 403),
    accept: (socket, request, [, callId = '']) =>
      platform.join(
        socket,
        callId,
        targetOf(request).searchParams,
        placeOf(forwardedAddress(request, trustProxy ?? 0) ?? ''),
      ),
  }
  const { simulated, twilio } = carrier
  const phones: SocketRoute | undefined = simulated && {
    path: /^\/-\/carriers\/simulated\/phones$/,
    protocols: [PHONE_PROTOCOL],
    plain: false,
    refuse: (request) => {
      const { origin } = request.headers
      if (origin !== undefined && !origins.includes(origin)) return 403
      const key = targetOf(request).searchParams.get('key')
      return mayUsePhone(clientOf(request, publicUrl), key, phoneKey) ? undefined : 403
    },
    accept: (socket) => simulated.acceptPhone(socket),
  }
  const media: SocketRoute | undefined = twilio && {
    path: /^\/-\/carriers\/twilio\/media$/,
    protocols: [],
    plain: true,
    refuse: () => undefined,
    accept: (socket, { url = '/', headers }) => twilio.acceptMedia(socket, { url, headers }),
  }
  return [rooms, phones, media].filter((route) => route !== undefined)
}
