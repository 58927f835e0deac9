import { hookUrlOf } from '../platform-setup/hook-url.js'
import type { HostedPlatform, Settings } from '../settings/settings.js'
import { ask, field, type Said } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'

const REFUSED = [401, 403]
const MESSAGES = 'platform messages'

/** The hosted voice platform: the assistant with the private key, where it sends its messages, and the public key. */
export async function checkPlatform(platform: HostedPlatform, settings: Settings): Promise<Finding[]> {
  const { url, assistantId, privateKey, publicKey } = platform
  const said = await ask(`${url}/assistant/${encodeURIComponent(assistantId)}`, bearer(privateKey))
  if (!said) return [fail('PLATFORM_URL', `${url} can't be reached`, 'check the address, and the way there')]
  return [
    assistantFinding(said.status, assistantId),
    ...messagesFinding(said, settings),
    await publicKeyFinding(url, publicKey),
  ]
}

/** Without its messages calls are followed by asking: seconds later, and nobody who says "stop calling me" is heard. */
function messagesFinding({ status, body }: Said, { callWebhookUrl, publicUrl }: Settings): Finding[] {
  // With another call desk ours has nothing to hear.
  if (status >= 300 || callWebhookUrl) return []
  const hookUrl = hookUrlOf(publicUrl)
  if (!hookUrl)
    return [
      warn(
        MESSAGES,
        'the platform has no address of ours to send them to',
        'set PUBLIC_URL to an https address that it can reach, then run heyline platform setup',
      ),
    ]
  if (field(field(body, 'server'), 'url') === hookUrl) return []
  return [warn(MESSAGES, 'the assistant does not send them to us', 'run heyline platform setup')]
}

function assistantFinding(status: number, id: string): Finding {
  if (REFUSED.includes(status))
    return fail('PLATFORM_PRIVATE_KEY', `is refused (${status})`, 'copy the private key of this organisation')
  if (status === 404 || status === 400)
    return fail('PLATFORM_ASSISTANT_ID', `there is no assistant ${id} (${status})`, "copy the assistant's id")
  if (status === 501)
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
  if (!said) return fail('PLATFORM_URL', `${url} can't be reached`, 'check the address, and the way there')
  return REFUSED.includes(said.status)
    ? fail(
        'PLATFORM_PUBLIC_KEY',
        `is refused (${said.status})`,
        'copy the public key of this organisation, and let it start web calls',
      )
    : ok('PLATFORM_PUBLIC_KEY', 'may start web calls')
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
