import { SIMULATED_GATE, SIMULATED_WEB_GATE } from '@heyline/call-desk'
import { PlatformClient } from '@heyline/platform-client'
import type { OfficeParts } from '../http/office.js'
import { quietInstallation } from './quiet-installation.js'

/** Parts of the operator API for tests that are not about them: a platform that nobody reaches, and the gate of the simulated carrier. */
export const UNASKED_PARTS: Pick<OfficeParts, 'platform' | 'gates' | 'installation' | 'renderPage'> = {
  platform: new PlatformClient({ token: 'private-key', baseUrl: 'http://127.0.0.1:9' }),
  installation: quietInstallation,
  renderPage: async (name) => name,
  gates: { gate: SIMULATED_GATE, webGate: SIMULATED_WEB_GATE },
}
