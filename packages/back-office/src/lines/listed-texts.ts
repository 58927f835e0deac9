import { setImmediate as othersTurn } from 'node:timers/promises'

/** What is parsed in one go, in characters. */
const PIECE = 250_000

/**
 * The values of `{"name": [...]}` in parts, so that millions of short texts hold nobody up: others have their turn between two parts. No text
 * may hold a comma. Throws a `SyntaxError` where it is something else.
 */
export async function* listedTexts(json: string, name: string): AsyncGenerator<unknown[]> {
  const begin = new RegExp(`^\\s{0,99}\\{\\s{0,99}"${name}"\\s{0,99}:\\s{0,99}\\[`).exec(json)
  const list = begin && inside(json.slice(begin[0].length))
  if (list === undefined || list === null) throw new SyntaxError(`The body is no list of ${name}`)
  if (list.trim() === '') return
  for (let at = 0; at <= list.length; ) {
    const comma = list.indexOf(',', at + PIECE)
    const end = comma < 0 ? list.length : comma
    const values: unknown[] = JSON.parse(`[${list.slice(at, end)}]`)
    if (values.length === 0) throw new SyntaxError('A comma is followed by no value')
    yield values
    await othersTurn()
    at = end + 1
  }
}

/** What stands before the `]}` at the end. */
function inside(rest: string): string | undefined {
  const object = rest.trimEnd()
  const array = object.endsWith('}') ? object.slice(0, -1).trimEnd() : ''
  return array.endsWith(']') ? array.slice(0, -1) : undefined
}
