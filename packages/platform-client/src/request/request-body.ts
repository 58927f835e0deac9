import { InvalidRequestError } from '../errors/invalid-request-error.js'
import type { RequestErrorContext } from '../errors/request-error.js'
import type { BodyKind } from '../operations/operation.js'
import { formData } from './multipart.js'

/** Writes a body, before anything is sent. `fetch` names the boundary of a form by itself. */
export function writeBody(
  kind: BodyKind | undefined,
  body: unknown,
  context: RequestErrorContext,
): { body?: string | FormData; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} }
  try {
    if (context.method === 'GET') throw new TypeError('a GET has no body')
    if (kind === 'multipart') return { body: formData(Object(body)), headers: {} }
    const json: string | undefined = JSON.stringify(body)
    if (json === undefined) throw new TypeError('it is no JSON')
    return { body: json, headers: { 'content-type': 'application/json' } }
  } catch {
    // What made it fail may quote the body, so it is not kept as the cause.
    const message = `The body of ${context.method} ${context.path} cannot be written`
    throw new InvalidRequestError('invalid_body', message, context)
  }
}
