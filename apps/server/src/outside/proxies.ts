import { NGINX_UPGRADE } from '../edge/refused-upgrades.js'

/** What a proxy may lack: WebSockets, the client's address, event streams as they come, bodies as long as ours. */
export type ProxyDuty = 'upgrade' | 'forwardedFor' | 'streams' | 'bodies'

interface Proxy {
  name: string
  /** What its `Server` or `Via` header says. */
  sign?: RegExp
  does: Partial<Record<ProxyDuty, string>>
}

/** What to write where, by each proxy's own reference. What is left out a proxy does by itself. */
const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    sign: /nginx|openresty/i,
    does: {
      upgrade: NGINX_UPGRADE,
      forwardedFor: 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      streams: 'proxy_buffering off;',
      bodies: 'client_max_body_size 1m;',
    },
  },
  {
    name: 'Caddy',
    sign: /caddy/i,
    does: {
      forwardedFor: 'no header_up of X-Forwarded-For: reverse_proxy writes it',
      streams: 'flush_interval -1',
      bodies: 'request_body { max_size 1MB }',
    },
  },
  {
    name: 'HAProxy',
    does: {
      upgrade: 'mode http',
      forwardedFor: 'option forwardfor',
      streams: 'no option http-buffer-response',
    },
  },
  {
    name: 'Apache',
    sign: /apache/i,
    does: {
      upgrade: 'upgrade=websocket behind the ProxyPass (2.4.47 and later)',
      forwardedFor: 'ProxyAddHeaders On',
      streams: 'flushpackets=on behind the ProxyPass',
      bodies: 'LimitRequestBody 1100000',
    },
  },
  { name: 'Cloudflare', sign: /cloudflare/i, does: { upgrade: 'WebSockets on, under Network' } },
  {
    name: 'CloudFront',
    sign: /cloudfront/i,
    does: {
      upgrade: 'the origin request policy AllViewer',
      forwardedFor: 'the origin request policy AllViewer',
    },
  },
  { name: 'IIS', sign: /microsoft-iis/i, does: { upgrade: 'the feature WebSocket Protocol' } },
]

/** What a proxy in front needs for this: the one that an answer names, else each that is known. */
export function proxyAdvice(duty: ProxyDuty, headers: Headers | undefined): string {
  const said = `${headers?.get('server') ?? ''} ${headers?.get('via') ?? ''}`
  const named = PROXIES.filter(({ sign, does }) => sign?.test(said) && does[duty] !== undefined)
  return (named.length > 0 ? named : PROXIES)
    .flatMap(({ name, does }) => (does[duty] === undefined ? [] : [`${name}: ${does[duty]}`]))
    .join('; ')
    .replaceAll(';;', ';')
}
