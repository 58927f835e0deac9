import { platformTurns } from '@heyline/back-office'
import type { CallDesk } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { backupStream } from '../backups/backup-stream.js'
import { examineRunning } from '../doctor/doctor.js'
import { numberBook } from '../ends/number-book.js'
import type { PlatformEnd } from '../ends/platform-end.js'
import type { Installation } from '../http/office.js'
import { shownKeys } from '../keys/key-meanings.js'
import type { KeyRing } from '../keys/key-ring.js'
import { engineFacts } from './engine-facts.js'
import { HealthRuns } from './health-runs.js'
import { type InstallationOptions, installationSettings } from './installation-settings.js'

/** The installation as the operator API asks for it. */
export function openInstallation(
  options: InstallationOptions & {
    db: Db
    platform: Pick<PlatformEnd, 'client' | 'builtIn'>
    desk: Pick<CallDesk, 'webCalls'> | undefined
    keys: KeyRing
  },
): Installation {
  const { settings, db, platform, desk, keys } = options
  const shown = installationSettings(options)
  const facts = engineFacts(settings)
  const health = new HealthRuns(() => examineRunning(settings))
  return {
    parts: {
      settings: () => shown,
      health: () => health.findings(),
      keys: () => shownKeys(keys),
      backup: ({ plain }) => backupStream(db, settings, { plain }),
    },
    numbers: numberBook(settings, platform),
    knowledge: platform.builtIn?.platform.knowledge,
    tickets: platform.builtIn?.platform.tickets,
    assistant: {
      platform: platform.client,
      assistantId: platform.assistantId,
      inTurn: platformTurns(platform.builtIn === undefined),
      engines: () => facts,
      testCall: desk && ((operator) => desk.webCalls.test(operator)),
    },
  }
}
