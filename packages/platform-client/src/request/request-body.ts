import type { BodyKind } from '../api/operation.js'
import { InvalidRequestError, type RequestErrorContext } from '../errors/request-error.js'

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

/** The parts of one field: files and bytes as they are, text and numbers as text, dates as ISO 8601, other objects as JSON. */
function part(value: unknown): string | Blob {
  if (value instanceof Blob) return value
  if (value instanceof Uint8Array) return new Blob([Uint8Array.from(value)])
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The items of a list, also of a browser's `FileList`; any other value by itself. */
function itemsOf(value: unknown): Iterable<unknown> {
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value
  return isList && !(value instanceof Uint8Array) ? (value as Iterable<unknown>) : [value]
}

/** A form of a plain object. A list gives a part for each of its items; `undefined` and `null` are left out. A form stays as it is. */
export function formData(body: object): FormData {
  if (body instanceof FormData) return body
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    for (const item of itemsOf(value)) {
      if (item !== undefined && item !== null) form.append(name, part(item))
    }
  }
  return form
}
