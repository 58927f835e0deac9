import { InvalidRequestError } from '../errors/invalid-request-error.js'
import type { HttpMethod } from '../operations/operation.js'

/** The text of one value. */
function text(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol'
    ? undefined
    : String(value)
}

/** `?a=1&b=2`, or nothing. Arrays repeat the name, a `Date` is ISO 8601, `undefined` and `null` are left out. */
export function queryString(method: HttpMethod, path: string, query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue
      const written = text(item)
      if (written === undefined) {
        throw new InvalidRequestError(
          'invalid_query',
          `"${name}" in ${method} ${path} is not text, number or date`,
          {
            method,
            path,
          },
        )
      }
      parameters.append(name, written)
    }
  }
  const written = parameters.toString()
  return written === '' ? '' : `?${written}`
}
