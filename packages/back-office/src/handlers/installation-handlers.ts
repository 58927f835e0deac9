import type { Db } from '@heyline/database'
import { readAudit, writeAudit } from '../audit/audit.js'
import { OperatorsError } from '../operators/operators-error.js'
import { backupStream } from './backup-stream.js'
import type { HandlersOf } from './handlers.js'

export interface InstallationParts {
  db: Db
  /** Undefined where somebody else signs access tokens. */
  rotateKeys: (() => Promise<{ kid: string }>) | undefined
}

export const installationHandlers = ({ db, rotateKeys }: InstallationParts): HandlersOf<'installation'> => ({
  audit: ({ limit, before }) => readAudit(db, limit, before),
  // What is taken away has its line before it is sent.
  backup: async (_, { actor }) => {
    await writeAudit(db, actor, 'backup_taken')
    return backupStream(db)
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
