import { createHash } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorResponse, failureResponse } from '../call/call-error.js'
import { readBody } from '../call/request-body.js'
import { readMessage } from '../news/platform-message.js'
import { errorCode } from '../run/error-code.js'
import { HookVerifier } from './hook-verifier.js'
import { Inbox } from './inbox-writer.js'

export interface HookOptions {
  db: Db
  /** Each of them verifies messages; see `HookVerifier`. */
  secrets: readonly string[]
  logger: Logger
}

/** Longest message, in bytes. */
const MAX_BYTES = 1024 * 1024

/**
 * The same for every repetition of a message: what it says, byte for byte. Not the sender's own id, because not every signature covers that:
 * whoever has seen one message could send it again under another id.
 */
function idOf(body: Uint8Array): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}

/**
 * Where the platform posts its server messages. A message is verified, then stored, then answered: 200 `{}`, also to those that say
 * nothing here; 503 when one could not be stored, so that the platform sends it again. `InboxWorker` does the rest.
 */
export function createHook({ db, secrets, logger }: HookOptions): (request: Request) => Promise<Response> {
  const verifier = new HookVerifier(secrets)
  const inbox = new Inbox(db)
  let isWarned = false
  const unauthorized = (): Response => {
    // Once: whoever knows the address could fill the log.
    if (!isWarned)
      logger.warn('a message to the platform’s hook was refused: its secret, signature or time is wrong')
    isWarned = true
    return errorResponse('unauthorized')
  }
  return async (request) => {
    if (request.method !== 'POST') return errorResponse('method_not_allowed')
    const { headers } = request
    if (!verifier.hasProof(headers)) return unauthorized()
    const body = await readBody(request, MAX_BYTES).catch(() => Buffer.alloc(0))
    if (body === undefined) return errorResponse('too_large')
    if (!verifier.verify(headers, body)) return unauthorized()
    const read = readMessage(body)
    if (!read) return errorResponse('invalid_json', 'The body must be {"message": {"type": …}}.')
    if (!read.message) return Response.json({})
    try {
      await inbox.store({ id: idOf(body), body: JSON.stringify(read.message) })
    } catch (error) {
      logger.error({ reason: errorCode(error) }, 'a message of the platform could not be stored')
      return failureResponse('unavailable', error)
    }
    return Response.json({})
  }
}
