import type { HostedPlatform, Settings } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'
import { ask } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'
import { checkMessages } from './messages-check.js'

const REFUSED = [401, 403]

/** The hosted voice platform: the assistant with the private key, where it sends its messages, and the public key. */
export async function checkPlatform(platform: HostedPlatform, settings: Settings): Promise<Finding[]> {
  const { url, assistantId, privateKey, publicKey } = platform
  const said = await ask(`${url}/assistant/${encodeURIComponent(assistantId)}`, bearer(privateKey))
  if (!said)
    return [fail('PLATFORM_URL', `${shownUrl(url)} can't be reached`, 'check the address and the network')]
  if (said.status < 300 && !isObject(said.body)) return [noPlatform(url)]
  return [
    assistantFinding(said.status, assistantId),
    ...(said.status < 300 ? await checkMessages(said.body, platform, settings) : []),
    ...(publicKey === undefined || settings.webCalls === 'minted'
      ? []
      : [await publicKeyFinding(url, publicKey)]),
  ]
}

function assistantFinding(status: number, id: string): Finding {
  if (REFUSED.includes(status))
    return fail('PLATFORM_PRIVATE_KEY', `is refused (${status})`, 'copy the private key of this organisation')
  if (status === 404 || status === 400)
    return fail('PLATFORM_ASSISTANT_ID', `there is no assistant ${id} (${status})`, "copy the assistant's id")
  // 422 is how the built-in platform of another Heyline says that it does not serve something.
  if (status === 422 || status === 501)
    return warn(
      'PLATFORM_ASSISTANT_ID',
      `the platform takes the private key, and does not serve reading an assistant (${status})`,
      'try Test in Browser: it shows whether the assistant is there',
    )
  if (status >= 300)
    return fail('PLATFORM_URL', `answers ${status}`, 'ask again later, and check the address')
  return ok('PLATFORM_PRIVATE_KEY', `finds assistant ${id}`)
}

/**
 * A public key may start web calls and nothing else, so that is what it is tried with: a request that can't be a call
 * (its assistant is no id), which a good key has refused for that reason, and a wrong one for the key.
 */
async function publicKeyFinding(url: string, key: string): Promise<Finding> {
  const { headers } = bearer(key)
  const said = await ask(`${url}/call/web`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ assistantId: false }),
  })
  if (!said)
    return fail('PLATFORM_URL', `${shownUrl(url)} can't be reached`, 'check the address and the network')
  // A web page: whoever serves it knows nothing of keys.
  if (!isObject(said.body)) return noPlatform(url)
  return REFUSED.includes(said.status)
    ? fail(
        'PLATFORM_PUBLIC_KEY',
        `is refused (${said.status})`,
        'copy the public key of this organisation, and let it start web calls',
      )
    : ok('PLATFORM_PUBLIC_KEY', 'may start web calls')
}

const isObject = (body: unknown) => typeof body === 'object' && body !== null

const noPlatform = (url: string) =>
  fail(
    'PLATFORM_URL',
    `no voice platform answers at ${shownUrl(url)}`,
    'check the address: https://api.vapi.ai, or URL/-/platform',
  )

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
