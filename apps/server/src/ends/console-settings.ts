import { LONGEST_PROMPT } from '@heyline/backend'
import type { ConsoleSettings } from '@heyline/console/settings'
import { MOST_PUBLIC_PROMPT } from '@heyline/voice-platform'
import type { Settings } from '../settings/settings.js'
import type { PlatformEnd } from './platform-end.js'

/** What the console is told. Whether a Supabase project sends texts, it says only when it is asked to. */
export const consoleSettings = (
  { backend: hosted, platform: hostedPlatform, webCalls }: Settings,
  platform: PlatformEnd,
): ConsoleSettings => ({
  phoneFactors: hosted !== undefined || platform.sendText !== undefined,
  additions: hosted === undefined,
  longestPrompt: webCalls === 'direct' && !hostedPlatform ? MOST_PUBLIC_PROMPT : LONGEST_PROMPT,
})
