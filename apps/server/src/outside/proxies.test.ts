import { expect, it } from 'vitest'
import { proxyAdvice } from './proxies.js'

it.each([
  [{ server: 'nginx/1.22.1' }, /^nginx: proxy_http_version 1\.1; .*"upgrade";$/],
  [{ server: 'Apache/2.4.57 (Debian)' }, /^Apache: upgrade=websocket/],
  [{ server: 'cloudflare' }, /^Cloudflare: WebSockets on/],
  [{ via: '1.1 abc.cloudfront.net (CloudFront)' }, /^CloudFront: /],
  // Caddy passes them on by itself: something else stands in front.
  [{ server: 'Caddy' }, /nginx: .*; HAProxy: .*; Apache: .*; Cloudflare: /],
  [{}, /nginx: .*; HAProxy: .*; Apache: .*; Cloudflare: /],
])('of %j it says what passes WebSockets on', (headers, text) => {
  expect(proxyAdvice('upgrade', new Headers(headers as Record<string, string>))).toMatch(text)
})
