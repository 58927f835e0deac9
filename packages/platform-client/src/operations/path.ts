import { InvalidRequestError } from '../errors/invalid-request-error.js'
import type { HttpMethod } from './operation.js'

/** The names in a path's braces, in order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '')
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
    const text = Number.isFinite(value) ? String(value) : value
    if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) {
      throw new InvalidRequestError(
        'invalid_path_parameter',
        `Give a value for "${name}" in ${method} ${path}`,
        { method, path },
      )
    }
    return encodeURIComponent(text)
  })
}
