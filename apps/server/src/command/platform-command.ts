import { PlatformClient, RequestError } from '@heyline/platform-client'
import { openDataDirectory } from '../data-directory.js'
import { hookUrlOf } from '../platform-setup/hook-url.js'
import { type SetupReport, setUpHooks } from '../platform-setup/set-up-platform.js'
import { SettingError } from '../settings/setting-error.js'
import type { Settings } from '../settings/settings.js'
import { CommandError } from './command-error.js'

export interface SetupOptions {
  dryRun?: boolean
  json?: boolean
}

/** `heyline platform setup`. */
export async function setUpPlatform(
  settings: Settings,
  { dryRun = false, json }: SetupOptions,
): Promise<void> {
  const { platform } = settings
  if (!platform)
    throw new CommandError(
      'built_in',
      'The built-in platform runs in the server and tells it of its calls: there is nothing to set up (PLATFORM_URL names a hosted one)',
    )
  if (settings.callWebhookUrl)
    throw new SettingError('CALL_WEBHOOK_URL', 'names another call desk, so ours takes no messages: unset it')
  const hookUrl = reachable(settings)
  const { hookSecret } = openDataDirectory(settings.dataDirectory, settings.keys)
  const { url, privateKey, assistantId } = platform
  const client = new PlatformClient({ token: privateKey, baseUrl: url })
  const report = await setUpHooks({ platform: client, assistantId, hookUrl, hookSecret, dryRun }).catch(
    (error: unknown) => {
      throw error instanceof RequestError ? explained(error, url) : error
    },
  )
  if (json) return console.log(JSON.stringify({ ...report, assistantId, url: hookUrl, dryRun }))
  console.log(linesOf(report, assistantId, hookUrl, dryRun).join('\n'))
}

/** A `SettingError` where the platform can't reach us. */
function reachable({ publicUrl }: Settings): string {
  const hookUrl = hookUrlOf(publicUrl)
  if (hookUrl) return hookUrl
  throw new SettingError(
    'PUBLIC_URL',
    publicUrl
      ? `${publicUrl} is no https address that the platform could reach: set that of your proxy or tunnel`
      : 'is needed: the https address under which the platform reaches us',
  )
}

function linesOf(report: SetupReport, assistantId: string, hookUrl: string, dryRun: boolean): string[] {
  const { credential, credentialId, assistant } = report
  const verb = dryRun ? 'would be' : 'was'
  const isSame = credential === 'unchanged' && assistant === 'unchanged'
  const which = credentialId ? ` ${credentialId}` : ''
  return [
    credential === 'unchanged'
      ? `The credential${which} is as it should be`
      : `The credential${which} ${verb} ${credential}`,
    assistant === 'unchanged'
      ? `The assistant ${assistantId} sends its messages to ${hookUrl} already`
      : `The assistant ${assistantId} ${verb} changed: it sends its messages to ${hookUrl}`,
    ...(isSame ? ['Nothing was to be changed'] : []),
    'To see that messages arrive, follow heyline calls tail during a call: without them there is no ringing and no in-progress',
  ]
}

function explained(error: RequestError, url: string): CommandError {
  const { code, message, path } = error
  const status = 'status' in error ? error.status : undefined
  const remedy =
    status === 401 || status === 403
      ? 'check PLATFORM_PRIVATE_KEY'
      : status === 404
        ? 'check PLATFORM_ASSISTANT_ID and PLATFORM_URL'
        : 'what was done stays done; the same command goes on from there'
  return new CommandError(code, `${url} (${error.method} ${path}): ${message}; ${remedy}`, { cause: error })
}
