import { createHash, timingSafeEqual } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorResponse } from '../call-error.js'
import { errorCode } from '../error-code.js'
import { applyNews } from '../queue/call-news.js'
import { readText } from '../read-text.js'
import type { Timings } from '../timings.js'
import { newsOfMessage, type PlatformMessage, platformMessage } from './platform-news.js'

export interface HookOptions {
  db: Db
  /** What the platform sends as `x-vapi-secret`. */
  secret: string
  timings: Timings
  logger: Logger
}

/** Longest message, in bytes. */
const maxBytes = 1024 * 1024

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The body's message, or undefined when it has not the platform's form. */
function parseMessage(text: string): PlatformMessage | undefined {
  try {
    return platformMessage.parse(JSON.parse(text)).message
  } catch {
    return undefined
  }
}

/**
 * Where the platform posts its server messages. Answers 200 `{}` to every well-formed message, also to those that say nothing here; 503 when
 * one could not be stored, so that the platform sends it again. Thin: it knows the shared secret only (no signatures), and stores
 * what becomes of the call (no transcript, summary or cost).
 */
export function createHook({
  db,
  secret,
  timings,
  logger,
}: HookOptions): (request: Request) => Promise<Response> {
  const expected = digest(secret)
  return async (request) => {
    if (request.method !== 'POST') return errorResponse('method_not_allowed')
    // Digests have one length, so the comparison tells nothing of the secret's.
    if (!timingSafeEqual(digest(request.headers.get('x-vapi-secret') ?? ''), expected))
      return errorResponse('unauthorized')
    const text = await readText(request, maxBytes).catch(() => '')
    if (text === undefined) return errorResponse('too_large')
    const message = parseMessage(text)
    if (!message) return errorResponse('invalid_json', 'The body must be {"message": {"type": …}}.')
    const news = newsOfMessage(message, new Date())
    if (!news) return Response.json({})
    try {
      const result = await applyNews(db, news, timings.newsMs)
      if (result && result.state !== result.was) {
        logger.info({ requestId: result.id, state: result.state }, 'call request')
      }
    } catch (error) {
      logger.error({ reason: errorCode(error) }, 'a message of the platform could not be stored')
      return errorResponse('unavailable')
    }
    return Response.json({})
  }
}
