import type { HttpMethod } from '../api/operation.js'
import { InvalidRequestError } from '../errors/request-error.js'

/** The text of one value. Throws for what has none: a function, an invalid date, an object that is no JSON. */
function text(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('no text')
  return written
}

/** `?a=1&b=2`, or nothing. Arrays repeat the name, a `Date` is ISO 8601, another object JSON; `undefined` and `null` are left out. */
export function queryString(method: HttpMethod, path: string, query: object = {}): string {
  const parameters = new URLSearchParams()
  const pairs: Iterable<[string, unknown]> =
    query instanceof URLSearchParams ? query : Object.entries(query ?? {})
  for (const [name, value] of pairs) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue
      try {
        parameters.append(name, text(item))
      } catch (cause) {
        const message = `"${name}" in ${method} ${path} cannot be written in a query`
        throw new InvalidRequestError('invalid_query', message, { method, path, cause })
      }
    }
  }
  const written = parameters.toString()
  return written && `?${written}`
}
