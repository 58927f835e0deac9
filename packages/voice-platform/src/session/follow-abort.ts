/** A controller that aborts with this signal too, until it is released: the signal of a call outlives much of its work. */
export function followAbort(signal: AbortSignal): { controller: AbortController; release(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { controller, release: () => signal.removeEventListener('abort', abort) }
}
