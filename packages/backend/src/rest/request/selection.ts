import { RestError } from '../../errors/rest-error.js'
import { type Cast, isCast } from './cast.js'
import { type Field, nameOf, readField } from './field.js'
import { Reader } from './reader.js'

/** One item of `select`: all columns, or a field under a name, as another type where the request says so. */
export type Selected = '*' | { field: Field; name: string; cast?: Cast }

/** An alias holds letters, digits, `_`, `$`, `-` and spaces. */
const ALIAS = /^[\p{L}_][\p{L}\p{N}_$ -]*$/u
/** Postgres cuts longer names. */
const NAME_BYTES = 63

/** Reads `select`: `*`, `field`, `alias:field`, `field::type`. Embedding and aggregates are refused. `''` is no item. */
export function parseSelection(text: string | null): Selected[] {
  if (text === null) return ['*']
  const reader = new Reader('select parameter', text)
  const selection: Selected[] = []
  if (reader.ended) return selection
  do selection.push(readSelected(reader))
  while (reader.skip(','))
  reader.end()
  return selection
}

function readSelected(reader: Reader): Selected {
  if (reader.take(/\s*\*\s*(?=,|$)/y)) return '*'
  if (reader.take(/\s*\.\.\./y)) throw RestError.notServed('Embedding')
  let field = readField(reader)
  let alias: string | undefined
  if (field.path.length === 0 && reader.take(/:(?!:)/y)) {
    alias = field.column
    if (!ALIAS.test(alias)) throw reader.unreadable(`"${alias}" cannot be an alias`)
    if (reader.take(/\s*\.\.\./y)) throw RestError.notServed('Embedding')
    field = readField(reader)
  }
  const name = alias ?? nameOf(field)
  const bytes = Buffer.byteLength(name)
  if (bytes === 0 || bytes > NAME_BYTES || name.includes('\0'))
    throw reader.unreadable(`"${name}" cannot be a name in the answer`)
  const cast = reader.skip('::') ? readCast(reader) : undefined
  if (reader.take(/[.(]/y)) throw RestError.notServed('Embedding or an aggregate')
  return { field, name, ...(cast && { cast }) }
}

function readCast(reader: Reader): Cast {
  const cast = reader
    .take(/[^,:.]+/y)?.[0]
    .trim()
    .toLowerCase()
  if (cast === undefined) throw reader.unreadable('expected a type')
  if (!isCast(cast)) throw RestError.notServed(`A cast to ${cast}`)
  return cast
}
