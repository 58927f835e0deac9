import { createOfficeClient } from '@heyline/back-office/client'
import type { BackendEnd } from '../../ends/backend-end.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { withOwnBackend } from './backend-place.js'
import { refuseNowhere } from './own-database.js'

/** Makes a new signing key, and resolves with its id. */
export type RotateKeys = () => Promise<{ kid: string }>

/** Reaches the signing keys of the accounts: at the running server, or, if no server runs, in the database itself. */
export async function withSigningKeys(context: CommandContext, work: (rotate: RotateKeys) => Promise<void>) {
  const { settings } = context
  refuseNowhere(settings, 'are no signing keys')
  if (settings.backend) throw hostedKeys()
  return withOwnBackend(
    context,
    {
      running: (url, secretKey) => {
        const { installation } = createOfficeClient({
          url,
          headers: { authorization: `Bearer ${secretKey}` },
          errorOf: ({ code, message, cause }) => new CommandError(code, message, { cause }),
        })
        return () => installation.rotateKeys()
      },
      stopped: ({ backend }: { backend: BackendEnd }) => {
        if (!backend.rotateKeys) throw hostedKeys()
        return backend.rotateKeys
      },
    },
    work,
  )
}

const hostedKeys = () =>
  new CommandError(
    'hosted_keys',
    'SUPABASE_URL is set: that project signs its tokens itself. Rotate its keys in its dashboard',
  )
