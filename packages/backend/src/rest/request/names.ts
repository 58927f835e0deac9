import { readName } from './field.js'
import { Reader } from './reader.js'

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
