import { createHmac } from 'node:crypto'
import type { BearerPlan, HmacPlan } from '@heyline/platform-client'
import type { MessageServer } from './message-server.js'

/** One try at sending a message. */
export interface SignedMessage {
  /** The same at every try. */
  id: string
  /** Seconds since the epoch, of this try. */
  timestamp: number
  body: string
}

/**
 * The headers by which a server knows that a message is ours.
 * - With a secret: the secret itself (`x-vapi-secret`), an HMAC-SHA256 of the body in hex (`x-vapi-signature`), and a signature of
 *   Standard Webhooks (https://www.standardwebhooks.com). Its key is the Base64 behind `whsec_`, or else the bytes of the secret.
 * - With a plan: what the plan says.
 *
 * The server's own headers cannot replace ours, except `authorization`.
 */
export function messageHeaders(server: MessageServer, message: SignedMessage): Headers {
  const { headers = {}, secret, authenticationPlan: plan } = server
  const result = new Headers(headers)
  result.set('content-type', 'application/json')
  result.set('webhook-id', message.id)
  result.set('webhook-timestamp', String(message.timestamp))
  if (secret) {
    result.set('x-vapi-secret', secret)
    result.set('x-vapi-signature', createHmac('sha256', secret).update(message.body).digest('hex'))
    result.set('webhook-signature', standardSignature(secret, message))
  }
  if (plan?.type === 'hmac') signByPlan(result, plan, server.url, message)
  if (plan?.type === 'bearer') showToken(result, plan)
  return result
}

function standardSignature(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

function signByPlan(headers: Headers, plan: HmacPlan, url: string, message: SignedMessage): void {
  const { includeTimestamp = true, messageIdHeader, signaturePrefix = '' } = plan
  const { payloadFormat = includeTimestamp ? '{timestamp}.{body}' : '{body}' } = plan
  const values: Record<string, string> = {
    body: message.body,
    timestamp: String(message.timestamp),
    method: 'POST',
    url,
    'svix-id': message.id,
  }
  const payload = payloadFormat.replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name] ?? whole)
  const key = plan.secretIsBase64 ? Buffer.from(plan.secretKey, 'base64') : plan.secretKey
  const signature = createHmac(plan.algorithm, key)
    .update(payload)
    .digest(plan.signatureEncoding ?? 'hex')
  headers.set(plan.signatureHeader ?? 'x-signature', `${signaturePrefix}${signature}`)
  if (includeTimestamp) headers.set(plan.timestampHeader ?? 'x-timestamp', String(message.timestamp))
  if (messageIdHeader) headers.set(messageIdHeader, message.id)
}

function showToken(
  headers: Headers,
  { token, headerName = 'authorization', bearerPrefixEnabled }: BearerPlan,
): void {
  const isKept = headerName.toLowerCase() === 'authorization' && headers.has('authorization')
  if (!isKept) headers.set(headerName, bearerPrefixEnabled === false ? token : `Bearer ${token}`)
}
