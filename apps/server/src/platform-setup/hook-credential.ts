import { createHash } from 'node:crypto'
import type { CreateWebhookCredential, HmacPlan } from '@heyline/platform-client'
import { isPublicUrl } from '../settings/loopback.js'

/** Where a hosted platform posts its messages to us; undefined where it could not reach us. */
export function hookUrlOf(publicUrl: string | undefined): string | undefined {
  if (!isPublicUrl(publicUrl) || new URL(publicUrl).protocol !== 'https:') return undefined
  return `${publicUrl}/-/hooks/platform`
}

/**
 * The credential with which the platform signs its messages to us: HMAC in the form of Standard Webhooks 1.0.0. Secrets are not given
 * back, so its name tells them apart: what it is for (so that two servers of one organisation leave each other's alone), then
 * what it holds.
 */
export function hookCredential(
  hookUrl: string,
  hookSecret: string,
): CreateWebhookCredential & { name: string } {
  const plan: HmacPlan = {
    type: 'hmac',
    secretKey: keyOf(hookSecret),
    secretIsBase64: true,
    algorithm: 'sha256',
    signatureHeader: 'webhook-signature',
    signaturePrefix: 'v1,',
    signatureEncoding: 'base64',
    timestampHeader: 'webhook-timestamp',
    includeTimestamp: true,
    messageIdHeader: 'webhook-id',
    payloadFormat: '{svix-id}.{timestamp}.{body}',
  }
  const name = `${credentialPrefix(hookUrl)}${fingerprint(JSON.stringify(plan))}`
  return { provider: 'webhook', name, authenticationPlan: plan }
}

/** How the names of all our credentials for this address begin. At most 40 characters in all. */
export const credentialPrefix = (hookUrl: string): string => `heyline ${fingerprint(hookUrl)} `

/** The signing key, in Base64: the bytes behind `whsec_`, or else those of the secret, as the hook reads them. */
function keyOf(secret: string): string {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret)
  return key.toString('base64')
}

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
