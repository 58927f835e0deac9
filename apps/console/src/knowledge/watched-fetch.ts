/** `fetch` for what is large to send: `sent` hears which part of the body is gone, from 0 to 1. The browser's own does not tell. */
export const watchedFetch =
  (sent: (share: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      const stop = () => {
        request.abort()
        reject(signal?.reason)
      }
      request.upload.onprogress = ({ loaded, total }) => sent(total > 0 ? loaded / total : 0)
      request.upload.onload = () => sent(1)
      request.onerror = () => reject(new TypeError('The server did not answer'))
      request.onload = () => resolve(answerOf(request))
      request.onloadend = () => signal?.removeEventListener('abort', stop)
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop)
      request.send(typeof init.body === 'string' ? init.body : null)
    })

function answerOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request
  const wait = request.getResponseHeader('retry-after')
  const type = request.getResponseHeader('content-type')
  return new Response(responseText, {
    ...{ status, statusText },
    headers: {
      ...(type !== null && { 'content-type': type }),
      ...(wait !== null && { 'retry-after': wait }),
    },
  })
}
