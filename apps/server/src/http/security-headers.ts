import { contentSecurityPolicy, type PolicySources } from '@heyline/page/policy'

/** The content security policy of what we serve: the page's, and no other site may show it in a frame. */
export const policyHeader = (sources: PolicySources): string =>
  `${contentSecurityPolicy(sources)}; frame-ancestors 'none'`

/** Headers of every page. The microphone is the page's own; nothing else is asked for. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const
