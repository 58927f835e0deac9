import { DatabaseError } from './database-error.js'

/** Causes of causes that are followed. */
const MOST_DEPTH = 5

/** Whole classes of SQLSTATE: no connection, no room (connections, memory, disk), the system below failed. */
const CLASSES = ['08', '53', '58']
/** It stops, has crashed, or starts; or it takes no writes. */
const CODES = ['57P01', '57P02', '57P03', '25006']
/** `configuration_limit_exceeded` is what one request asks for. */
const NOT_OURS = ['53400']

/** Whether a SQLSTATE says that the database can't be used at all now. */
export const isOutageCode = (code: string): boolean =>
  !NOT_OURS.includes(code) && (CODES.includes(code) || CLASSES.includes(code.slice(0, 2)))

/** Whether something failed because the database can't be used at all now: nothing is wrong with what was asked, and a later try may succeed. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MOST_DEPTH) return false
  if (error instanceof DatabaseError) return isOutageCode(error.code)
  return isOutage(error.cause, depth + 1)
}
