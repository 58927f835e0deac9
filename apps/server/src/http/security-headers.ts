import { contentSecurityPolicy, mayUseDaily, type PolicySources } from '@heyline/page/policy'

/** The content security policy of what we serve: the page's, and no other site may show it in a frame. */
export const policyHeader = (sources: PolicySources): string =>
  `${contentSecurityPolicy(sources)}; frame-ancestors 'none'`

/** What the page may ask the person for: the microphone, and the camera where the platform may record video. */
export const permissionsHeader = (platform?: string): string =>
  `microphone=(self), camera=(${platform !== undefined && mayUseDaily(platform) ? 'self' : ''}), geolocation=()`

/** Headers of the pages that are no visitor's: nothing of them is kept, and nobody is told where they are. */
export const ownPageHeaders = (policy: string, permissions: string) => ({
  ...PAGE_HEADERS,
  'content-security-policy': policy,
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
})

/** Headers of every page. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const
