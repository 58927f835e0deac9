/** A part of the server: it answers requests. */
export type Handler = (request: Request) => Promise<Response>

/** A `fetch` that stays in the process for addresses below `base`, and goes out for all others. The handler sees whole paths. */
export function inProcess(base: string, handler: Handler): typeof fetch {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  return async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const inside = url.origin === origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`))
    return inside ? abortable(handler(request), request.signal) : fetch(request)
  }
}

/** An aborted request ends for its caller, as it would over a socket. */
async function abortable(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted()
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
