import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from './listening.js'

/** The part of Vite's development server that answers requests. */
interface ViteMiddleware {
  middlewares(request: IncomingMessage, response: ServerResponse, next: () => void): void
}

/** Vite answers requests for its own files. The others go on with their whole address: Vite cuts its base path off. */
export function throughVite(vite: ViteMiddleware, answer: RequestHandler): RequestHandler {
  return (request, response) => {
    const { url } = request
    vite.middlewares(request, response, () => {
      request.url = url
      answer(request, response)
    })
  }
}
