const UNSTORABLE = /\0|\p{Surrogate}/gu

/** Whether Postgres can store this text: it has neither a NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.search(UNSTORABLE) === -1

/** The text without what Postgres cannot store. */
export const storable = (text: string): string => text.replace(UNSTORABLE, '')

/** What is said of a text that Postgres cannot store, behind its name. */
export const UNSTORABLE_TEXT = 'has characters that cannot be stored (NUL or half a surrogate pair)'

/** The place of the first text in a JSON value, a name among them, that Postgres cannot store: as in `a.0.b`, and empty for the value itself. */
export function unstorablePlace(value: unknown): string | undefined {
  const left: [place: string, value: unknown][] = [['', value]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [place, found] = next
    if (typeof found === 'string' && !isStorable(found)) return place
    if (typeof found !== 'object' || found === null) continue
    const names = Array.isArray(found) ? undefined : Object.keys(found)
    // What is certain is not kept: a list may have millions of texts.
    for (let at = (names ?? (found as unknown[])).length - 1; at >= 0; at--) {
      const name = names?.[at] ?? String(at)
      if (names && !isStorable(name)) return place
      const inner: unknown = Reflect.get(found, name)
      if (typeof inner === 'string' ? !isStorable(inner) : typeof inner === 'object')
        left.push([place === '' ? name : `${place}.${name}`, inner])
    }
  }
  return undefined
}
