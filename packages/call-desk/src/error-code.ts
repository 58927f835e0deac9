/** The code of an error, or its class: all that a log may say, since texts and details of a database's errors quote numbers. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
}
