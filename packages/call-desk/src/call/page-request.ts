import { isStorable } from '@heyline/kit/storable'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'
import { errorResponse, failureResponse } from './call-error.js'
import type { ClientAddress } from './client-address.js'
import { readText } from './request-body.js'
import type { Visitor, VisitorLookup } from './visitor-lookup.js'

/** Longest body that a page posts, in bytes. */
const MAX_BYTES = 16 * 1024

/** The JSON text that a page posts, not parsed yet, or an answer that says what is wrong with the request. */
export async function readPostedJson(request: Request): Promise<string | Response> {
  if (request.method !== 'POST') return errorResponse('method_not_allowed')
  const [type] = (request.headers.get('content-type') ?? '').split(';')
  if (type?.trim().toLowerCase() !== 'application/json') return errorResponse('unsupported_media_type')
  try {
    return (
      (await readText(request, MAX_BYTES)) ??
      errorResponse('too_large', `The body must not be longer than ${MAX_BYTES} bytes.`)
    )
  } catch {
    return errorResponse('invalid_json', 'The body could not be read as UTF-8.')
  }
}

/** The visitor that a page names, or an answer that says why there is none. */
export async function lookUpVisitor(
  visitors: VisitorLookup,
  slug: string,
  logger: Logger,
  client: ClientAddress | undefined,
): Promise<Visitor | Response> {
  // No database stores these, so no visitor has one.
  if (!isStorable(slug)) return errorResponse('visitor_not_found')
  try {
    return (await visitors.find(slug, client)) ?? errorResponse('visitor_not_found')
  } catch (error) {
    logger.warn({ reason: errorCode(error) }, 'a visitor could not be looked up')
    return failureResponse('lookup_failed', error)
  }
}
