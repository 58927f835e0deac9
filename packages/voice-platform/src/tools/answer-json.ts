/** Deepest that values of an answer may lie inside each other: much goes into each of them, and no answer needs more. */
const MOST_DEPTH = 100

/** What somebody's server answered. Undefined where it is no JSON, or is nested too deeply. */
export function answerJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth >= MOST_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1))
}
