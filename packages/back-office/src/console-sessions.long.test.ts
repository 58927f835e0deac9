import { DATABASES } from '@heyline/database/testing'
import { describeConsoleSessions } from './console-sessions.contract.js'
import { builtInEnd, hostedEnd } from './testing/auth-end.js'

for (const { name, open } of DATABASES) {
  describeConsoleSessions(`${name}, at our own end`, async (clock) => builtInEnd(await open(), clock))
  describeConsoleSessions(`${name}, at a Supabase project`, async (clock) =>
    hostedEnd(await open(), { clock }),
  )
  describeConsoleSessions(
    `${name}, at a project that signs with a secret and has errors of the old form`,
    async (clock) => hostedEnd(await open(), { clock, alg: 'HS256', errors: 'old' }),
  )
}
