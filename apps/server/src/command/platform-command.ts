import { SettingError } from '@heyline/kit/setting-error'
import { ConnectionError, PlatformClient, RequestError, TimeoutError } from '@heyline/platform-client'
import { openDataDirectory } from '../keys/data-directory.js'
import { hookUrlOf } from '../platform-setup/hook-credential.js'
import { NoPlatformError, type SetupReport, setUpHooks } from '../platform-setup/set-up-platform.js'
import type { Settings } from '../settings/settings.js'
import { CommandError } from './terminal/command-error.js'
import type { CommandContext } from './terminal/terminal.js'

export interface SetupOptions {
  dryRun?: boolean
  json?: boolean
}

/** Longest that the platform may take for one answer, in ms. */
const PATIENCE_MS = 10_000

/** `heyline platform setup`. */
export async function setUpPlatform(
  { settings, terminal }: CommandContext,
  { dryRun = false, json }: SetupOptions,
  timeoutMs = PATIENCE_MS,
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
  const client = new PlatformClient({ token: privateKey, baseUrl: url, timeoutMs })
  const report = await setUpHooks({ platform: client, assistantId, hookUrl, hookSecret, dryRun }).catch(
    (error: unknown) => {
      throw explained(error, url)
    },
  )
  if (json) return terminal.log(JSON.stringify({ ...report, assistantId, url: hookUrl, dryRun }))
  terminal.log(linesOf(report, assistantId, hookUrl, dryRun).join('\n'))
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

function explained(error: unknown, url: string): unknown {
  const refuse = (code: string, message: string) => new CommandError(code, message, { cause: error })
  const noPlatform = `no voice platform answers at ${url}: check PLATFORM_URL`
  if (error instanceof NoPlatformError) return refuse('no_platform', noPlatform)
  if (!(error instanceof RequestError)) return error
  const { code, message, method, path } = error
  if (code === 'invalid_response') return refuse('no_platform', noPlatform)
  const status = 'status' in error ? error.status : undefined
  if (status === 401 || status === 403)
    return refuse(code, `${url} refuses the key (${message}): check PLATFORM_PRIVATE_KEY`)
  if (status === 404)
    return refuse(code, `${url} has it not (${message}): check PLATFORM_ASSISTANT_ID and PLATFORM_URL`)
  // Reads come first; where one of them fails, nothing was changed.
  const remedy =
    method === 'GET'
      ? 'nothing was changed'
      : 'what was done stays done, and the same command goes on from there'
  if (error instanceof ConnectionError)
    return refuse(code, `${url} can't be reached: ${remedy}; check PLATFORM_URL`)
  if (error instanceof TimeoutError)
    return refuse(
      code,
      `${url} did not answer within ${error.timeoutMs / 1000} s: ${remedy}; check PLATFORM_URL`,
    )
  return refuse(code, `${url} answers ${method} ${path}: ${message}; ${remedy}`)
}
