/** Characters of values written as JSON. Infinite where they are nested too deeply to be written. */
export function lengthAsJson(values: unknown): number {
  try {
    return JSON.stringify(values).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
