import type { CreateSquad, CreateWorkflow } from '@heyline/platform-client'
import type { TransferDestination } from '../session/bridge-call.js'

/** Who speaks in a call, where that is not one assistant alone: the settings as the call found them. */
export interface CallScript {
  /** Said, and the call is over. */
  farewell?: { text: string; endedReason: string }
  /** The call is handed on at once. */
  forward?: TransferDestination
  squad?: CreateSquad
  workflow?: CreateWorkflow
}
