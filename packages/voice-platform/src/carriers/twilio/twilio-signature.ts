import { createHmac } from 'node:crypto'
import { isSameSecret } from '@heyline/kit/secret'

/** Name and value of each form parameter, in the order in which they came. */
export type Parameters = Iterable<readonly [name: string, value: string]>

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'ws:': '80',
  'https:': '443',
  'wss:': '443',
}

/**
 * The `X-Twilio-Signature` of a request: HMAC-SHA1 with the account's auth token over the URL, followed by every form
 * parameter's name and value, sorted by name; a name given several times counts once per different value. Base64.
 * Source: Twilio's "Webhooks security".
 */
export const twilioSignature = (authToken: string, url: string, parameters: Parameters): string =>
  signatureOver(authToken, url + sorted(parameters))

function sorted(parameters: Parameters): string {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of parameters) {
    const known = values.get(name) ?? new Set()
    values.set(name, known.add(value))
  }
  const names = [...values.keys()].sort()
  return names.flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => name + value)).join('')
}

const signatureOver = (authToken: string, text: string): string =>
  createHmac('sha1', authToken).update(text).digest('base64')

/** Whether this has the form of a signature: 20 bytes in Base64. What has not need not be verified. */
export const isSignature = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9+/]{27}=$/.test(text)

/**
 * True when the signature is the account's for this request. Compared in constant time. Twilio signs some URLs with their port, some
 * without, and stream URLs with or without a final slash. Each spelling is accepted.
 */
export function isSigned(
  authToken: string,
  url: string,
  parameters: Parameters,
  signature: unknown,
): boolean {
  if (!isSignature(signature)) return false
  const form = sorted(parameters)
  return spellings(url).some((spelling) => isSameSecret(signature, signatureOver(authToken, spelling + form)))
}

function spellings(address: string): string[] {
  const url = new URL(address)
  const path = url.pathname + url.search
  const hosts = new Set([
    url.host,
    url.hostname,
    `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}`,
  ])
  const paths = url.protocol.startsWith('ws') ? [path, `${path}/`] : [path]
  return [...hosts].flatMap((host) => paths.map((each) => `${url.protocol}//${host}${each}`))
}
