/** One POST to the call webhook. */
export interface CallRequest {
  url: string
  /** E.164 as the phone field gives it. */
  phone: string
  /** The slug of the stored row, not the one in the address. */
  slug: string
  fetch: typeof globalThis.fetch
  signal: AbortSignal
  timeoutMs: number
}

/**
 * Asks the webhook for a call (spec 7.4). True for any 2xx, whose body is not read; false for every other answer, a
 * redirect, a network failure, a timeout and an abort.
 */
export async function requestCall({
  url,
  phone,
  slug,
  fetch,
  signal,
  timeoutMs,
}: CallRequest): Promise<boolean> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, slug }),
      redirect: 'error',
      signal: ending.signal,
    })
    return response.ok
  } catch (error) {
    if (!signal.aborted) console.warn('The call webhook was not reached.', error)
    return false
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
