import type { Db } from '@heyline/database'
import { AssistantStore } from '../assistants/assistant-store.js'
import { StoredServers } from '../assistants/stored-servers.js'
import type { NumberAccount } from '../carriers/number-account.js'
import { ResourceStore } from '../resources/resource-store.js'
import { SQUAD_FAMILY } from '../squads/squad-schema.js'
import { WORKFLOW_FAMILY } from '../workflows/workflow-schema.js'
import { PhoneNumberStore } from './phone-number-store.js'
import { PhoneNumbers } from './phone-numbers.js'

/** The numbers of an installation, and what takes new ones in. */
export interface StoredNumbers {
  readonly numbers: PhoneNumbers
  readonly numberStore: PhoneNumberStore
}

/** The numbers on a migrated database, without a platform: for commands while no server runs. */
export function openPhoneNumbers(
  db: Db,
  account: NumberAccount | undefined,
  servers = new StoredServers(),
): StoredNumbers {
  const numberStore = new PhoneNumberStore(db)
  const assistants = new AssistantStore(db)
  const scripts = {
    squads: new ResourceStore(db, SQUAD_FAMILY),
    workflows: new ResourceStore(db, WORKFLOW_FAMILY),
  }
  return {
    numberStore,
    numbers: new PhoneNumbers({ store: numberStore, assistants, scripts, servers, account }),
  }
}
