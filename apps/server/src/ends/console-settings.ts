import type { ConsoleSettings } from '@heyline/console/settings'
import type { Settings } from '../settings/settings.js'
import type { PlatformEnd } from './platform-end.js'

/** What the console is told. Whether a Supabase project sends texts, it says only when it is asked to. */
export const consoleSettings = ({ backend: hosted }: Settings, platform: PlatformEnd): ConsoleSettings => ({
  phoneFactors: hosted !== undefined || platform.sendText !== undefined,
  additions: hosted === undefined,
})
