import { RestError } from '../../errors/rest-error.js'
import { QUOTED, Reader, unescaped } from './reader.js'

/** One step into JSON: to a key, or to an index (negative ones count from the end); `->` gives JSON, `->>` text. */
export interface Step {
  arrow: '->' | '->>'
  key: string | number
}

/** A column, or a place in the JSON that it holds. */
export interface Field {
  column: string
  path: Step[]
}

/** Most steps of one path: each is an expression around the one before, and Postgres reads those by recursion. */
const STEPS = 20

/** Names that need no quotes: anything but the signs of the grammar, and the arrow. */
const NAME = /(?:[^-"().,:]|-(?!>))+/y
const ARROW = /->>?/y
/** Digits are an index only where nothing else follows, so that `->2nd` is a key. */
const INDEX = /([+-]?\d{1,9})(?=$|->|[).,:])/y

/** Reads `column`, `"any name"`, `column->key`, `column->0->>"any key"`. Refuses other tables' columns. */
export function readField(reader: Reader): Field {
  return { column: readName(reader), path: readPath(reader) }
}

/** A name with or without quotes; blanks around it do not count. */
function readName(reader: Reader): string {
  reader.take(/\s*/y)
  const quoted = reader.take(QUOTED)
  if (quoted) {
    reader.take(/\s*/y)
    return unescaped(quoted[1] ?? '')
  }
  const name = reader.take(NAME)?.[0].trim()
  if (!name) throw reader.unreadable('expected the name of a column')
  return name
}

function readPath(reader: Reader): Step[] {
  const path: Step[] = []
  for (;;) {
    const arrow = reader.take(ARROW)?.[0]
    if (arrow === undefined) return path
    if (path.length === STEPS) throw RestError.notServed(`A path of more than ${STEPS} steps into JSON`)
    const index = reader.take(INDEX)?.[1]
    path.push({
      arrow: arrow === '->' ? '->' : '->>',
      key: index === undefined ? readName(reader) : Number(index),
    })
  }
}

/** What an answer calls it where the request does not say: the last key of the path, else the column. */
export function nameOf({ column, path }: Field): string {
  return path.map(({ key }) => key).findLast((key) => typeof key === 'string') ?? column
}

/** Reads names separated by commas, each once; `what` says of which parameter. Null where there is none. */
export function parseNames(what: string, text: string | null): string[] | null {
  if (!text) return null
  const reader = new Reader(what, text)
  const names = new Set<string>()
  do names.add(readName(reader))
  while (reader.skip(','))
  reader.end()
  return [...names]
}
