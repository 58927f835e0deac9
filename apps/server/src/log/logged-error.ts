import { DatabaseError } from '@heyline/database'

/** Characters of a message that are kept. An error of a thousand faults has a message of megabytes. */
const MOST_MESSAGE = 2_000
/** Causes of causes that are followed. */
const MOST_DEPTH = 5

/** What of an error is kept besides its message and stack: codes and names of ours, of the system's and of the database's schema. */
const KEPT = ['code', 'status', 'syscall', 'constraint'] as const

/**
 * Classes of SQLSTATE whose messages name tables, columns, rules, roles and the like, and no value. Data exceptions (22) quote what could not
 * be read, and what a function raises (P0) is any text.
 */
const NAMING_CLASSES = '08 23 25 26 28 2D 3D 3F 40 42 44 53 54 55 57 58 XX'.split(' ')
const SYNTAX_ERROR = '42601'

/**
 * Serializes what was thrown for the log. All else that errors carry (the row that a database refused, parameters, bodies, a driver's whole
 * client) may hold numbers and prompts, and is left out; of a message that quotes values only the beginning is kept.
 */
export function loggedError(thrown: unknown, depth = 0): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const type = thrown.constructor?.name || thrown.name
  if (depth > MOST_DEPTH) return { type }
  const message = cut(messageOf(thrown))
  const fields = KEPT.map((name) => [name, Reflect.get(thrown, name)] as const)
  return {
    type,
    ...Object.fromEntries(fields.filter(([, value]) => ['string', 'number'].includes(typeof value))),
    message,
    stack: [`${type}: ${message}`, ...framesOf(thrown)].join('\n'),
    ...(thrown.cause !== undefined && { cause: loggedError(thrown.cause, depth + 1) }),
    ...(thrown instanceof AggregateError && {
      errors: [thrown.errors].flat().map((error) => loggedError(error, depth + 1)),
    }),
  }
}

function messageOf(error: Error): string {
  if (error instanceof SyntaxError) return beginningOf(error.message)
  if (!(error instanceof DatabaseError || 'severity' in error)) return error.message
  const code = String(Reflect.get(error, 'code'))
  if (NAMING_CLASSES.includes(code.slice(0, 2)) && code !== SYNTAX_ERROR) return error.message
  return code.startsWith('P0') ? '…' : beginningOf(error.message)
}

const cut = (message: string) =>
  message.length > MOST_MESSAGE ? `${message.slice(0, MOST_MESSAGE)}…` : message

/** A message as far as it quotes nothing. */
const beginningOf = (message: string) => cut(message).replace(/["'`:\d].*$/s, '…')

/** Where it was thrown. A stack begins with the message, which may have lines that look like any. */
const framesOf = ({ stack, message }: Error) =>
  (message === '' ? `${stack}` : `${stack}`.replaceAll(message, () => ''))
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
