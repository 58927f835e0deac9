import type { ConsoleSettings } from '@heyline/console/settings'
import type { Settings } from '../settings/settings.js'
import type { BackendEnd } from './backend-end.js'
import type { PlatformEnd } from './platform-end.js'

/**
 * What the console is told. The address of our own end is a path, so that the console works under every name that reaches us. Whether a Supabase project sends texts,
 * it says only when it is asked to.
 */
export function consoleSettings(
  { backend: hosted }: Settings,
  backend: BackendEnd,
  platform: PlatformEnd,
): ConsoleSettings {
  return {
    authUrl: hosted ? `${backend.url}/auth/v1` : '/-/backend/auth/v1',
    key: backend.key,
    phoneFactors: hosted !== undefined || platform.sendText !== undefined,
    additions: hosted === undefined,
  }
}
