import type { Db } from '@heyline/database'
import type { Assistant, PlatformClient } from '@heyline/platform-client'
import { storedAssistant } from './assistants/assistant-schema.js'
import { AssistantStore } from './assistants/assistant-store.js'
import { listVersions } from './assistants/assistant-versions.js'
import { ensureDefaults } from './default-resources.js'
import { PhoneNumberStore } from './numbers/phone-number-store.js'
import { ApiError } from './resources/api-error.js'
import { refuseForeignNumbers } from './rest/assistant-routes.js'
import { parse } from './rest/parse-request.js'

/** What a client of the platform does with versions. */
export type KeptAssistants = Pick<PlatformClient['assistants'], 'get' | 'replace' | 'listVersions'>

/** The assistants on a migrated database, without a platform: for commands while no server runs. What they refuse is an `ApiError`. */
export function openAssistants(db: Db): { assistants: KeptAssistants; defaultId(): Promise<string> } {
  const store = new AssistantStore(db)
  const numbers = new PhoneNumberStore(db)
  return {
    defaultId: async () => (await ensureDefaults(db)).assistantId,
    assistants: {
      get: async (id) => existing(id, await store.get(id)),
      // As `PUT /assistant/{id}` does.
      async replace(id, settings) {
        const wanted = parse(settings, storedAssistant)
        await refuseForeignNumbers(wanted.model?.tools ?? [], numbers)
        return existing(id, await store.replace(id, wanted))
      },
      listVersions: (id, query) => store.versions.page(id, parse(query ?? {}, listVersions)),
    },
  }
}

function existing(id: string, assistant: Assistant | undefined): Assistant {
  if (assistant) return assistant
  throw new ApiError(
    404,
    `There is no assistant ${id}: set PLATFORM_ASSISTANT_ID to one that is there, or unset it.`,
  )
}
