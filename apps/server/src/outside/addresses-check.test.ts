import { expect, it } from 'vitest'
import type { SeenRequest } from '../mirror/seen-request.js'
import { checkAddresses, INVENTED } from './addresses-check.js'

const VISITOR = '198.51.100.7'
const PROXY = '127.0.0.1'
const CDN = '192.0.2.9'

const seen = (others: Partial<SeenRequest>): SeenRequest => ({
  proof: '',
  version: '1',
  publicUrl: 'https://demo.example',
  address: VISITOR,
  trustProxy: 1,
  forwardedFor: [VISITOR],
  isProxied: true,
  bytes: 0,
  ...others,
})

/** What the server saw, with which address of the invented request, and what is said. */
it.each([
  ['a proxy that appends', {}, VISITOR, 'ok', /198\.51\.100\.7, also with an invented/],
  [
    'a proxy that passes the header on',
    { forwardedFor: [], address: PROXY },
    INVENTED,
    'fail',
    /^the proxy passes X-Forwarded-For on .*nginx: proxy_set_header X-Forwarded-For/,
  ],
  ['too many', { trustProxy: 2 }, INVENTED, 'fail', /^TRUST_PROXY=2 believes .*set TRUST_PROXY=1:/],
  [
    'nobody told of the proxy',
    { trustProxy: null, address: PROXY },
    PROXY,
    'warn',
    /^TRUST_PROXY is not set: .*\(127\.0\.0\.1\).*set TRUST_PROXY=1$/,
  ],
  [
    'nobody told of the two proxies',
    { trustProxy: 0, address: PROXY, forwardedFor: [VISITOR, CDN] },
    PROXY,
    'warn',
    /^TRUST_PROXY is 0: .*set TRUST_PROXY=2$/,
  ],
  [
    'nobody told, and the proxy writes nothing',
    { trustProxy: null, address: PROXY, forwardedFor: [] },
    PROXY,
    'warn',
    /set TRUST_PROXY=1, and have the proxy write X-Forwarded-For/,
  ],
  [
    'a proxy that writes nothing',
    { forwardedFor: [], address: PROXY },
    PROXY,
    'warn',
    /^the proxy writes no X-Forwarded-For/,
  ],
  [
    'a CDN before the proxy',
    { address: CDN, forwardedFor: [VISITOR, CDN] },
    CDN,
    'warn',
    /^2 addresses .*TRUST_PROXY=1 takes that of a proxy further out \(192\.0\.2\.9\).*set TRUST_PROXY=2/,
  ],
] as const)('%s', (_, plain, forged, status, text) => {
  const finding = checkAddresses({
    plain: seen({ ...plain, forwardedFor: [...('forwardedFor' in plain ? plain.forwardedFor : [VISITOR])] }),
    forged: seen({ address: forged }),
    headers: new Headers({ server: 'nginx/1.22.1' }),
    isTls: true,
  })
  expect(finding.status).toBe(status)
  expect(`${finding.message} ${finding.mend ?? ''}`.trim()).toMatch(text)
})

it('is well where nobody stands in front', () => {
  const plain = seen({ trustProxy: null, forwardedFor: [], isProxied: false })
  expect(checkAddresses({ plain, forged: plain, headers: new Headers(), isTls: false }).status).toBe('ok')
})
