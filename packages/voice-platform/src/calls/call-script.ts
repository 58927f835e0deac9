import type { CreateSquad, CreateWorkflow } from '@heyline/platform-client'

/** Who speaks in a call, where that is more than one assistant: the settings as the call found them. */
export interface CallScript {
  squad?: CreateSquad
  workflow?: CreateWorkflow
}
