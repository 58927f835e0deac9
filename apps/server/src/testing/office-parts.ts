import { SIMULATED_GATE, SIMULATED_WEB_GATE } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { PlatformClient } from '@heyline/platform-client'
import { openEndpoints } from '../ends/events-end.js'
import type { OfficeParts } from '../http/office.js'
import { quietInstallation } from './quiet-installation.js'

/** Parts of the operator API for tests that are not about them: a platform that nobody reaches, and the gate of the simulated carrier. */
export const UNASKED_PARTS: Pick<OfficeParts, 'platform' | 'gates' | 'installation' | 'renderPage'> = {
  platform: new PlatformClient({ token: 'private-key', baseUrl: 'http://127.0.0.1:9' }),
  installation: quietInstallation,
  renderPage: async (name) => name,
  gates: { gate: SIMULATED_GATE, webGate: SIMULATED_WEB_GATE },
}

/** Endpoints that may be on this machine. */
export const testEndpoints = (db: Db) =>
  openEndpoints({
    settings: { events: { allowPrivate: true } },
    db,
    keys: { secret: 'sb_secret_of_the_test' },
    publicUrl: 'http://localhost:3000',
    mail: undefined,
  })
