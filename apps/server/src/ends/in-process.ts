import type { Keep } from './unfinished-work.js'

/** A part of the server: it answers requests. */
export type Handler = (request: Request) => Promise<Response>

/** A `fetch` whose third argument is given what still goes on in this process for a caller who waits no more. */
export type InProcessFetch = (...args: [...Parameters<typeof fetch>, keep?: Keep]) => Promise<Response>

/**
 * A `fetch` that stays in the process for addresses below `base`, and goes out for all others. The handler sees whole paths, and none of a
 * request that was aborted before.
 */
export function inProcess(base: string, handler: Handler): InProcessFetch {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  return async (input, init, keep) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const inside = url.origin === origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`))
    if (!inside) return fetch(request)
    request.signal.throwIfAborted()
    const answer = handler(request)
    keep?.(answer)
    return abortable(answer, request.signal)
  }
}

/** An aborted request ends for its caller, as it would over a socket. */
async function abortable(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
