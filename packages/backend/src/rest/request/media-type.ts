import { RestError } from '../../errors/rest-error.js'

const JSON_ARRAY = 'application/json'
const JSON_OBJECT = 'application/vnd.pgrst.object+json'

const SERVED: Record<string, Shape> = {
  '*/*': 'array',
  'application/*': 'array',
  [JSON_ARRAY]: 'array',
  'application/vnd.pgrst.array+json': 'array',
  [JSON_OBJECT]: 'object',
  'application/vnd.pgrst.object': 'object',
}

/** A list of rows, or exactly one row as an object. */
export type Shape = 'array' | 'object'

/** Reads `Accept`: the first type that is served. CSV, GeoJSON, query plans and stripped nulls are refused with 406. */
export function parseShape(accept: string | null): Shape {
  if (accept === null || accept.trim() === '') return 'array'
  const types = accept.split(',').map((type) => type.trim().toLowerCase())
  for (const type of types) {
    const [name = '', ...parameters] = type.split(';').map((part) => part.trim())
    const shape = Object.hasOwn(SERVED, name) ? SERVED[name] : undefined
    if (shape && parameters.every((parameter) => /^(q|charset)=/.test(parameter))) return shape
  }
  throw new RestError('PGRST107', { message: `None of these media types are available: ${accept}` })
}

/** `Content-Type` of an answer of that shape. */
export function contentType(shape: Shape): string {
  return `${shape === 'array' ? JSON_ARRAY : JSON_OBJECT}; charset=utf-8`
}
