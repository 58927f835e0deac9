import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from './listening.js'

/** The part of Vite's development server that answers requests. */
interface ViteMiddleware {
  middlewares(request: IncomingMessage, response: ServerResponse, next: () => void): void
}

/** Vite answers what is its own, and hands on the rest as it came: it cuts its base path off what it looks at. */
export function throughVite(vite: ViteMiddleware, answer: RequestHandler): RequestHandler {
  return (request, response) => {
    const { url } = request
    vite.middlewares(request, response, () => {
      request.url = url
      answer(request, response)
    })
  }
}
