import type { HttpMethod } from '../api/operation.js'
import { InvalidRequestError } from '../errors/request-error.js'

/** The names in a path's braces, in order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '')
}

/** A value as it stands in a path; undefined for what cannot: nothing, dots, half a character. */
function encoded(value: unknown): string | undefined {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) return undefined
  try {
    return encodeURIComponent(value)
  } catch {
    return undefined
  }
}

/**
 * Puts encoded values in the place of a path's parameters. Missing, empty and dot values are refused:
 * `.` and `..` would reach another operation, since even encoded ones are folded by URL parsers.
 */
export function fillPath(
  method: HttpMethod,
  path: string,
  values: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    const text = encoded(Number.isFinite(value) ? String(value) : value)
    if (text === undefined) {
      throw new InvalidRequestError(
        'invalid_path_parameter',
        `Give a value for "${name}" in ${method} ${path}`,
        { method, path },
      )
    }
    return text
  })
}
