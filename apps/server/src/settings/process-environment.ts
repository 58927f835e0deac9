import { z } from 'zod'
import { setting } from './setting.js'
import { postgresUrl, wholeNumber } from './value.js'

/** How the database is reached, besides its address. */
export const connectionEnvironment = {
  DATABASE_DIRECT_URL: setting(postgresUrl, {
    meaning:
      'Needed where `DATABASE_URL` leads through a pooler in transaction mode, such as PgBouncer or port 6543 of Supabase: a connection to the same database past it, with the same login. Notifications, migrations and the building of indexes use it, two connections of each server at most times; everything else goes through the pooler (`docs/instances.md`).',
    examples: ['`postgres://USER:PASSWORD@HOST:5432/DATABASE`'],
  }),
  DATABASE_POOL: setting(wholeNumber(4, 200), {
    default: '10',
    meaning:
      'Most connections of this server to Postgres, 4 to 200; notifications have one more, and so has `/-/ready`. All servers together have to stay below `max_connections` of Postgres, or of the pooler.',
  }),
}

/** How long a connection of a client waits for its next request. */
export const keepAliveEnvironment = {
  KEEP_ALIVE_SECONDS: setting(wholeNumber(1, 3_600), {
    meaning:
      'How long a connection stays open without a request, 1 to 3600. Make it longer than the proxy in front keeps its connections, or the proxy may send a request into one that is just closed, and answer 502. nginx and load balancers of clouds keep theirs for 60 s by default. Without a value: 75 behind `TRUST_PROXY`, otherwise 5.',
  }),
}

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** What stands in the log. */
export const logEnvironment = {
  LOG_LEVEL: setting(z.enum(LOG_LEVELS, { error: 'is none of error, warn, info and debug' }), {
    default: 'info',
    meaning:
      'How much the log says: `error` (defects and outages), `warn` (for operators), `info` (each change in the life of the server and of calls), `debug`. The access log is on `info`.',
  }),
  INSTANCE_ID: setting(
    z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        'is no name of 1 to 64 letters, digits, dots, hyphens and underscores that begins with a letter or digit',
      ),
    {
      meaning:
        'The name of this server. It stands in each line of its log, as `instance`, beside the `version`. Without a value it is made of the name of the machine and something random.',
    },
  ),
}
