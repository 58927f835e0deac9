import type { Db } from '@heyline/database'
import { searchAudit, writeAudit } from '../audit/audit.js'
import type { GivenBy } from '../operations/operation.js'
import type { Operations } from '../operations/operations.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

export interface InstallationParts {
  db: Db
  /** Undefined where somebody else signs access tokens. */
  rotateKeys: (() => Promise<{ kid: string }>) | undefined
  settings: () => GivenBy<Operations['installation']['settings']>
  health: () => GivenBy<Operations['installation']['health']>
  keys: () => GivenBy<Operations['installation']['keys']>
  backup: (wish: { plain: boolean }) => GivenBy<Operations['installation']['backup']>
}

export const installationHandlers = ({
  db,
  rotateKeys,
  settings,
  health,
  keys,
  backup,
}: InstallationParts): HandlersOf<'installation'> => ({
  audit: (sought) => searchAudit(db, sought),
  settings,
  health,
  keys,
  // What is taken away has its line before it is sent.
  backup: async ({ plain }, { actor }) => {
    const made = await backup({ plain: plain === 'true' })
    try {
      await writeAudit(db, actor, 'backup_taken')
      return made
    } catch (error) {
      await made.cancel()
      throw error
    }
  },
  rotateKeys: async () => {
    if (!rotateKeys)
      throw new OperatorsError(
        'invalid_request',
        'SUPABASE_URL is set: that project signs its tokens itself. Rotate its keys in its dashboard',
      )
    return rotateKeys()
  },
})
