import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { LogLevel } from '../settings/process-environment.js'
import { VERSION } from '../version.js'
import { loggedError } from './logged-error.js'
import type { OutageLines } from './outage-lines.js'
import { StandardError } from './standard-error.js'

/** What never belongs in a log, wherever it stands. */
const SECRETS = new Set([
  'phone',
  'to',
  'from',
  'number',
  'system',
  'first_message',
  'firstMessage',
  'secret',
  'root',
  'token',
  'authorization',
])

/** What every line goes through, wherever it is written. */
export const LOG_RULES = {
  base: undefined,
  // For what child loggers add to each line; a path with a wildcard would be read anew for every field of every line.
  redact: { paths: [...SECRETS], remove: true },
  formatters: { log: withoutSecrets },
  serializers: { err: loggedError },
} satisfies LoggerOptions

export interface LogOptions {
  /** `info` unless given. */
  level?: LogLevel
  /** Which server it is: with it, each line says the name and our version. */
  instance?: string
  /** Keeps it short while the database is away. */
  outages?: OutageLines
  /** Standard error unless given. */
  out?: DestinationStream
}

/**
 * The server's log: JSON lines on standard error, so that standard output stays for people.
 * One info line per change in the life of the server or of a call; warnings are for operators; errors are defects or outages.
 */
export function openLog({ level = 'info', instance, outages, out }: LogOptions = {}): Logger {
  const base = instance === undefined ? undefined : { instance, version: VERSION }
  const options = { ...LOG_RULES, base, level, ...(outages && { hooks: outages.hooks }) }
  return pino(options, out ?? new StandardError())
}

/** The fields of a line, and those of objects among them, without secrets. Errors are for `loggedError`. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return withoutSecretNames(fields, (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error)
      ? withoutSecretNames(value)
      : value,
  )
}

function withoutSecretNames(
  fields: object,
  within: (value: unknown) => unknown = (value) => value,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (!SECRETS.has(name)) kept[name] = within(value)
  return kept
}
