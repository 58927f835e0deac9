import { isLoopback } from '@heyline/kit/loopback'
import type { PlatformClient } from '@heyline/platform-client'
import { controlUrl as allowed } from '../news/platform-call.js'

/** A running call could not be told to end. No message of it holds the address, which may be a secret. */
export class EndCallError extends Error {
  override readonly name = 'EndCallError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Tells a running call to end, at its control address. The private key goes along only where the address lies below the platform's own; another one
 * must be https, or on this machine, and is not followed elsewhere. Rejects when the platform does not accept it.
 */
export async function sendEndCall(
  platform: PlatformClient,
  controlUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const body = { type: 'end-call' }
  if (!allowed.safeParse(controlUrl).success)
    throw new EndCallError('control_url_refused', 'The address for commands to the call is none of the web.')
  // As `fetch` will read it: `..` in a path must not lead out of the platform.
  const url = new URL(controlUrl)
  const path = url.href.startsWith(`${platform.baseUrl}/`)
    ? url.href.slice(platform.baseUrl.length)
    : undefined
  if (path !== undefined) {
    await platform.request({ method: 'POST', path, body: 'json', answer: 'text' }, { body }, { signal })
    return
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new EndCallError('control_url_refused', 'The address for commands to the call is not https.')
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new EndCallError(
      `control_${response.status}`,
      `The platform answered ${response.status} to the end of a call.`,
    )
}
