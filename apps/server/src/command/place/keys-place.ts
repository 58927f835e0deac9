import { z } from 'zod'
import { AdminDoor, type DoorErrors } from '../../calls/admin-door.js'
import type { BackendEnd } from '../../ends/backend-end.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { withOwnBackend } from './backend-place.js'
import { refuseNowhere } from './calls-place.js'

/** Makes a new signing key, and resolves with its id. */
export type RotateKeys = () => Promise<{ kid: string }>

const rotated = z.object({ kid: z.string() })

const ERRORS: DoorErrors = {
  refused: (code, message) => new CommandError(code, message),
  unreachable: (message, cause) => new CommandError('keys_unreachable', message, { cause }),
  isOurs: (error) => error instanceof CommandError,
  look: "the server's log",
}

/** Reaches the signing keys of the accounts: at the running server, or, if no server runs, in the database itself. */
export async function withSigningKeys(context: CommandContext, work: (rotate: RotateKeys) => Promise<void>) {
  const { settings } = context
  refuseNowhere(settings, 'are no signing keys')
  if (settings.backend) throw hostedKeys()
  return withOwnBackend(
    context,
    {
      running: (url, secretKey) => {
        const door = new AdminDoor(url, secretKey, ERRORS)
        return async () => rotated.parse(await door.post('/keys/rotate'))
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
