import type { BuiltPage, Page } from '../ends/page-end.js'
import type { Settings } from '../settings/settings.js'
import { policyHeader } from './security-headers.js'

/** The page's policy: the hosted ends that are configured, and nothing else beside ourselves. */
export const pagePolicy = (
  { backend, callWebhookUrl, platform, calls }: Settings,
  publicUrl: string,
  page: Page | BuiltPage,
): string =>
  policyHeader({
    publicUrl,
    hosted: [backend?.url, callWebhookUrl].filter((url) => url !== undefined),
    platform: platform?.url,
    turnstile: calls.humanCheck?.kind === 'turnstile',
    styleHashes: 'styleHashes' in page ? page.styleHashes : [],
  })
