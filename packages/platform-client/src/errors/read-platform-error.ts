import { createPlatformError, type PlatformError } from './platform-error.js'
import type { RequestErrorContext } from './request-error.js'

/** Longest part of a text or HTML body that goes into a message, in characters. */
const EXCERPT_LENGTH = 200

/** How much of such a body is looked at. */
const READ_LENGTH = 10_000
/** A token shorter than this is no secret, and its letters stand in every text. */
const SHORTEST_SECRET = 8

/** What is readable of an HTML page or a text. */
function excerpt(body: string): string {
  // Some patterns take long for a long text of one kind; what matters stands at its beginning.
  const head = body.slice(0, READ_LENGTH)
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(head)?.[1]?.trim()
  const text = title || head.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
  return text.replace(/\s+/g, ' ').trim().slice(0, EXCERPT_LENGTH)
}

/** The fields of a JSON error body: `{ message: string | string[], error?, code? }`. */
function readBody(body: string): { message?: string; code?: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { message: excerpt(body) }
  }
  if (typeof parsed !== 'object' || parsed === null) return {}
  const { message, code, error } = parsed as Record<string, unknown>
  const texts = (Array.isArray(message) ? message : [message]).filter((item) => typeof item === 'string')
  const word = typeof code === 'string' ? code : typeof error === 'string' ? error : undefined
  return {
    message: texts.join('; ') || (typeof error === 'string' ? error : undefined),
    code: word?.trim().toLowerCase().replace(/\W+/g, '_'),
  }
}

/** Seconds of a `Retry-After` header, which holds seconds or a date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}

/** The error that an answer with a failure status stands for. A token that the platform repeats is blotted out. */
export function readPlatformError(
  response: Response,
  body: string,
  token: string,
  context: RequestErrorContext,
): PlatformError {
  const blot = (text: string | null) =>
    token.length < SHORTEST_SECRET ? text : (text?.replaceAll(token, '[token]') ?? null)
  const { message, code } = readBody(blot(body) ?? '')
  const fallback = `${context.method} ${context.path} was answered with ${response.status} ${response.statusText}`
  const { headers } = response
  return createPlatformError({
    ...context,
    status: response.status,
    code: code || `http_${response.status}`,
    message: message || fallback.trim(),
    requestId:
      blot(headers.get('x-request-id') ?? headers.get('request-id') ?? headers.get('cf-ray')) ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after'), Date.now()),
  })
}
