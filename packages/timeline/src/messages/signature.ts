import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** 256 random bits, as Standard Webhooks writes them. */
export const newEndpointSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** Whether it is one of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isEndpointSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length)
  const { length } = keyOf(text)
  return text.startsWith(PREFIX) && BASE64.test(encoded) && length >= 24 && length <= 64
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

/**
 * The headers of a message as https://www.standardwebhooks.com has them: one signature for each secret. `id` is the same in all tries, `at`
 * is this one's, in ms.
 */
export function signedHeaders(
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
