import { knownKey } from '../keys/key-ring.js'
import { credentialPrefix, hookCredential, hookUrlOf } from '../platform-setup/hook-credential.js'
import type { HostedPlatform, Settings } from '../settings/settings.js'
import { ask, field } from './ask.js'
import { type Finding, ok, warn } from './finding.js'

const CHECK = 'platform messages'
const SETUP = 'run heyline platform setup'

/**
 * Whether a hosted assistant tells us of its calls, so that we believe it. Without its messages calls are followed by asking: seconds
 * later, and nobody who says "stop calling me" is heard.
 */
export async function checkMessages(
  assistant: unknown,
  { url, privateKey }: HostedPlatform,
  settings: Settings,
): Promise<Finding[]> {
  // With another call desk ours has nothing to hear.
  if (settings.callWebhookUrl) return []
  const hookUrl = hookUrlOf(settings.publicUrl)
  if (!hookUrl)
    return [
      warn(
        CHECK,
        'the platform has no address of ours to send them to',
        `set PUBLIC_URL to an https address that it can reach, then ${SETUP}`,
      ),
    ]
  const server = field(assistant, 'server')
  if (field(server, 'url') !== hookUrl) return [warn(CHECK, 'the assistant does not send them to us', SETUP)]
  const credentialId = field(server, 'credentialId')
  if (typeof credentialId !== 'string')
    return [warn(CHECK, 'the assistant sends them to us, but has no credential to sign them with', SETUP)]
  const credential = await ask(`${url}/credential/${encodeURIComponent(credentialId)}`, {
    headers: { authorization: `Bearer ${privateKey}` },
  })
  if (credential?.status === 404)
    return [warn(CHECK, 'the credential that the assistant signs them with is not there', SETUP)]
  if (!credential || credential.status >= 300)
    return [
      warn(
        CHECK,
        'the credential that the assistant signs them with could not be read',
        'see whether PLATFORM_PRIVATE_KEY may read it, then run heyline doctor again',
      ),
    ]
  return [signatureFinding(field(credential.body, 'name'), hookUrl, settings)]
}

/** The credential's name tells what it holds. */
function signatureFinding(name: unknown, hookUrl: string, settings: Settings): Finding {
  if (typeof name !== 'string' || !name.startsWith(credentialPrefix(hookUrl)))
    return ok(
      CHECK,
      'the assistant sends them to us, signed in a way that heyline platform setup did not set up',
    )
  const { keys, formerHookSecret, dataDirectory } = settings
  const isOf = (secret: string | undefined) =>
    secret !== undefined && hookCredential(hookUrl, secret).name === name
  if (isOf(knownKey(dataDirectory, keys, 'hookSecret')))
    return ok(CHECK, 'the assistant sends them to us, signed with our secret')
  if (isOf(formerHookSecret))
    return warn(
      CHECK,
      'the assistant still signs them with the second secret of PLATFORM_HOOK_SECRET',
      `${SETUP}, then take that secret out`,
    )
  return warn(
    CHECK,
    'the assistant signs them with another secret than PLATFORM_HOOK_SECRET (or that of heyline keys): all of them are refused',
    `${SETUP} with the settings of the server`,
  )
}
