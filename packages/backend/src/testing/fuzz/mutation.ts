import type { WireRequest } from '../wire.js'
import { BODIES, HEADER_NAMES, HEADER_VALUES, METHODS, PIECES } from './pieces.js'
import type { Random } from './random.js'

/** The request with one to four things wrong with it, or strange about it. */
export function mutated(request: WireRequest, random: Random): WireRequest {
  let result = request
  for (let left = 1 + random.below(4); left > 0; left--) result = mutatedOnce(result, random)
  return result
}

function mutatedOnce(request: WireRequest, random: Random): WireRequest {
  const kind = random.next()
  if (kind < 0.55) return { ...request, path: mutatedPath(request.path, random) }
  if (kind < 0.8) return { ...request, headers: mutatedHeaders(request.headers, random) }
  if (kind < 0.87) return { ...request, method: random.pick(METHODS) }
  if (random.chance(0.5) || request.body === undefined) return { ...request, body: random.pick(BODIES) }
  return { ...request, body: spliced(String(request.body), random, random.pick(PIECES)) }
}

function mutatedPath(path: string, random: Random): string {
  const kind = random.next()
  if (kind < 0.1)
    return path.replace(/^\/rest\/v1\/[^?]*/, () => `/rest/v1/${written(random.pick(PIECES), random)}`)
  if (kind < 0.3) return `${path}${path.includes('?') ? '&' : '?'}${written(random.pick(PIECES), random)}`
  // What stands behind a "=" or between commas, or a name: the grammar's own joints.
  const parts = path.split(/([?&=,.()])/)
  const at = 2 + random.below(Math.max(1, parts.length - 2))
  if (kind < 0.6) parts[at] = written(random.pick(PIECES), random)
  else if (kind < 0.75) parts.splice(at, 0, written(random.pick(PIECES), random))
  else if (kind < 0.85) parts.splice(at, 1 + random.below(3))
  else if (kind < 0.9) parts.push(...parts.slice(at))
  else return spliced(path, random, written(random.pick(PIECES), random), 9)
  return parts.join('')
}

function mutatedHeaders(headers: WireRequest['headers'], random: Random): WireRequest['headers'] {
  const value = random.chance(0.6) ? random.pick(HEADER_VALUES) : random.pick(PIECES)
  // No HTTP client and no server lets other characters through.
  return [...headers, [random.pick(HEADER_NAMES), value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]]
}

/** The piece in place of up to four characters somewhere behind `from`. */
function spliced(text: string, random: Random, piece: string, from = 0): string {
  const at = from + random.below(Math.max(1, text.length - from))
  return text.slice(0, at) + piece + text.slice(at + random.below(5))
}

/** As it is, or encoded: both come in addresses. Half a character cannot be encoded. */
const written = (text: string, random: Random): string =>
  random.chance(0.4) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
