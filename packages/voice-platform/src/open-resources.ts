import type { Db } from '@heyline/database'
import type { AssistantStore } from './assistants/assistant-store.js'
import { storedTools, TOOL_FAMILY } from './assistants/tool-schema.js'
import { withoutToolSecrets } from './assistants/tool-secrets.js'
import type { PhoneNumberStore } from './numbers/phone-number-store.js'
import { ResourceStore } from './resources/resource-store.js'
import { refuseForeignNumbers } from './rest/assistant-routes.js'
import { credentialStore, openSuites, storedFamilies, suiteFamilies } from './rest/families.js'
import type { ServedFamily } from './rest/resource-routes.js'
import { refuseBrokenSquad } from './squads/squad-check.js'
import { SQUAD_FAMILY, squadSettings } from './squads/squad-schema.js'
import type { TestRuns } from './test-runs/test-runs.js'
import { VoiceShelf } from './third-parties/voice-shelf.js'
import { WORKFLOW_FAMILY, workflowSettings } from './workflows/workflow-schema.js'

/** What clients store beside assistants, phone numbers and calls. `key` seals the secrets in it. */
export function openResources(db: Db, assistants: AssistantStore, key: Uint8Array | undefined) {
  /** Assistants and tools that lie in other resources. */
  const inside = {
    stored: <Value>(settings: Value, before?: Value) => assistants.secrets.sealed(settings, before),
    shown: withoutToolSecrets,
  }
  const tools = new ResourceStore(db, TOOL_FAMILY, key, inside)
  const squads = new ResourceStore(db, SQUAD_FAMILY, key, inside)
  const workflows = new ResourceStore(db, WORKFLOW_FAMILY, key, inside)
  const suites = openSuites(db, key, inside)
  return {
    ...{ tools, suites, scripts: { squads, workflows } },
    ...{ credentials: credentialStore(db, key), voices: new VoiceShelf(db) },
    /** As the API serves them. */
    families: (numbers: PhoneNumberStore, testRuns: TestRuns): ServedFamily[] => [
      {
        ...{ path: 'tool', title: 'Tool', store: tools, settings: storedTools },
        check: (tool) => refuseForeignNumbers([tool], numbers),
      },
      { path: 'workflow', title: 'Workflow', store: workflows, settings: workflowSettings },
      {
        ...{ path: 'squad', title: 'Squad', store: squads, settings: squadSettings },
        check: (squad) => refuseBrokenSquad(squad, (id) => assistants.find(id)),
      },
      ...storedFamilies(db, key, { inside, assistants }),
      ...suiteFamilies(suites, testRuns),
    ],
  }
}
