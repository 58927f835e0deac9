import { StoredVersions } from '@heyline/back-office'
import { PlatformClient } from '@heyline/platform-client'
import { openAssistants } from '@heyline/voice-platform'
import { type AssistantPlace, runningAssistant } from '../../assistant/running-assistant.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the stored assistant: at the running server, or, if no server runs, in the database itself. That of a hosted platform is there. */
export async function withAssistant(
  context: CommandContext,
  work: (assistant: AssistantPlace) => Promise<void>,
) {
  const { settings } = context
  const { platform, assistantId } = settings
  refuseNowhere(settings, 'is no assistant')
  return withOwnDatabase<AssistantPlace>(
    context,
    {
      running: runningAssistant,
      stopped(db) {
        if (platform) {
          const client = new PlatformClient({ token: platform.privateKey, baseUrl: platform.url })
          return asked(async () => new StoredVersions(client.assistants, platform.assistantId))
        }
        const { assistants, defaultId } = openAssistants(db)
        return asked(async () => new StoredVersions(assistants, assistantId ?? (await defaultId())))
      },
    },
    work,
  )
}

/** As the client of a running server has them. */
const asked = (open: () => Promise<StoredVersions>): AssistantPlace => ({
  versions: async () => (await open()).list(),
  version: async ({ version }) => (await open()).show(version),
  restore: async ({ version }) => (await open()).restore(version, { mayChangeAll: true, keepsLimits: false }),
})
