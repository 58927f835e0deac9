import type { IncomingMessage } from 'node:http'
import type { BoundedLog } from '@heyline/kit/bounded-log'
import { hostName } from '../http/client.js'
import { pathPattern } from './path-pattern.js'
import { isProxyLikely } from './proxy-signs.js'
import { logRefusedAttempt } from './refused-attempts.js'
import { pathOf } from './request-path.js'

/** What has nginx pass WebSockets on: without these it asks with HTTP/1.0, and drops both headers. */
export const NGINX_UPGRADE =
  'proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";'
const UPGRADE_LINES = `nginx: ${NGINX_UPGRADE} Apache: ProxyPass with upgrade=websocket; a tunnel or CDN: turn its WebSockets on`

interface Cause {
  kind: string
  logged: string
  /** What to do where a proxy stands in front. */
  hint?: string
}

/** Why an upgrade is refused that reached us as one, and what a proxy may have to do with it. */
const CAUSES: Readonly<Record<number, Cause>> = {
  400: {
    kind: 'upgrade-head',
    logged: 'a WebSocket was refused whose headers are not whole',
    hint: 'the proxy in front has to pass all Sec-WebSocket headers on',
  },
  404: {
    kind: 'upgrade-path',
    logged: 'a WebSocket was refused at a path that has none',
    hint: 'the proxy in front has to leave the path as it is',
  },
}

/** A page of ours is no stranger's: who runs the server has given it another address. */
const OUR_PAGE: Cause = {
  kind: 'upgrade-origin',
  logged:
    'a WebSocket was refused to a page that came from this server: PUBLIC_URL is not the address that browsers use; set it, or add that address to ALLOWED_ORIGINS',
}

/** The two logs of what is refused. */
export interface RefusalLogs {
  attempts: BoundedLog
  /** A line for each cause and minute: a browser behind such a proxy tries again and again. */
  upgrades: BoundedLog
}

/** Logs an upgrade that was refused. The line holds no slug, id, secret, origin or address. */
export function logRefusedUpgrade(
  { attempts, upgrades }: RefusalLogs,
  request: IncomingMessage,
  status: number,
): void {
  const cause = status === 403 && isOfOurPage(request) ? OUR_PAGE : CAUSES[status]
  if (cause) logCause(upgrades, cause, request, status)
  else logRefusedAttempt(attempts, request, status)
}

function logCause(
  upgrades: BoundedLog,
  { kind, logged, hint }: Cause,
  request: IncomingMessage,
  status: number,
) {
  upgrades.warn(
    kind,
    factsOf(request, status),
    hint && isProxyLikely(request) ? `${logged}: ${hint}` : logged,
  )
}

/**
 * Logs a WebSocket that came as a plain request and got nothing, as a proxy makes of it that passes on all but `Upgrade` and `Connection`.
 * Whoever opens the address in a browser sends no key of a WebSocket.
 */
export function logLostUpgrade(
  { upgrades }: Pick<RefusalLogs, 'upgrades'>,
  request: IncomingMessage,
  status: number,
): void {
  if (status < 400 || !('sec-websocket-key' in request.headers)) return
  upgrades.warn(
    'upgrade-lost',
    factsOf(request, status),
    `a WebSocket came without its upgrade, and no call works like that: the proxy in front has to pass it on (${UPGRADE_LINES})`,
  )
}

/** Whether the page has the name under which this request asks for the server. */
function isOfOurPage({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).hostname === hostName(host)
}

const factsOf = (request: IncomingMessage, status: number) => ({
  method: request.method,
  status,
  path: pathPattern(pathOf(request)),
})
