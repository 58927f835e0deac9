/** Tells of an error that nobody catches: the browser's `error` event, or the console where there is none. */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
