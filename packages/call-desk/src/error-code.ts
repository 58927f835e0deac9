import { PlatformError } from '@heyline/platform-client'
import { codeWords } from './placing/reason-code.js'

/** The code of an error, or its class: all that a log may say, since texts and details of a database's errors quote numbers. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  // A platform may say anything as its code.
  if (error instanceof PlatformError && !codeWords.has(error.code)) return `${error.name} ${error.status}`
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
}
