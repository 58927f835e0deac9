import type { IncomingMessage } from 'node:http'
import { placeOf } from '@heyline/call-desk'
import { PHONE_PROTOCOL, ROOM_PROTOCOL } from '@heyline/room-protocol'
import { type ClientUpgrade, placeOfRelayed } from '@heyline/voice-platform'
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

const ROOMS = { path: /^\/-\/rooms\/([^/]+)$/, protocols: [ROOM_PROTOCOL], plain: true }

/** Streams of Twilio's. One that brings a call back from a transfer names the call. */
const MEDIA = { path: /^\/-\/carriers\/twilio\/media(?:\/([\w-]{1,64}))?$/, protocols: [], plain: true }

/** The WebSockets that other processes pass on, which have checked the client: its room, or the call that its stream brings back, is here. */
export function relayedRoutes({
  platform,
  carrier: { twilio },
}: SocketRouteOptions['builtIn']): SocketRoute[] {
  const refuse = () => undefined
  const rooms: SocketRoute = {
    ...ROOMS,
    refuse,
    accept: (socket, request, [, callId = '']) =>
      platform.join(socket, callId, targetOf(request).searchParams, placeOfRelayed(request.headers)),
  }
  const media: SocketRoute | undefined = twilio && {
    ...MEDIA,
    refuse,
    accept: (socket, { url = '/', headers }) => twilio.acceptMedia(socket, { url, headers }),
  }
  return media ? [rooms, media] : [rooms]
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
  const placeOfClient = (request: IncomingMessage) =>
    placeOf(forwardedAddress(request, trustProxy ?? 0) ?? '')
  const upgradeOf = (request: IncomingMessage): ClientUpgrade => {
    const { pathname, search } = targetOf(request)
    return { target: pathname + search, headers: request.headers, from: placeOfClient(request) }
  }
  const rooms: SocketRoute = {
    ...ROOMS,
    refuse: ({ headers: { origin } }) => (origin === undefined || origins.includes(origin) ? undefined : 403),
    elsewhere: (request, [, callId = '']) =>
      platform.elsewhere(callId, targetOf(request).searchParams, upgradeOf(request)),
    accept: (socket, request, [, callId = '']) =>
      platform.join(socket, callId, targetOf(request).searchParams, placeOfClient(request)),
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
    ...MEDIA,
    refuse: () => undefined,
    elsewhere: (request, [, callId]) =>
      callId === undefined
        ? undefined
        : platform.elsewhere(callId, new URLSearchParams({ call: callId }), upgradeOf(request)),
    accept: (socket, { url = '/', headers }) => twilio.acceptMedia(socket, { url, headers }),
  }
  return [rooms, phones, media].filter((route) => route !== undefined)
}
