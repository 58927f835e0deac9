import { destination, type Logger, pino } from 'pino'

/** What never belongs in a log, wherever it stands. */
const SECRETS = [
  'phone',
  'to',
  'from',
  'number',
  'system',
  'first_message',
  'firstMessage',
  'secret',
  'token',
  'authorization',
]

/**
 * The server's log: JSON lines on standard error, so that standard output stays for people.
 * One info line per change in the life of the server or of a call; warnings are for operators; errors are defects or outages.
 */
export function openLog(level = 'info'): Logger {
  return pino(
    {
      level,
      base: undefined,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    destination({ fd: 2, sync: true }),
  )
}
