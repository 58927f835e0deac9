import { RestError } from '../rest-error.js'
import { columnName, splitList, unquote } from './list.js'

/** One item of `select`: all columns, or one, under another name or as another type where the request says so. */
export type Selected = '*' | { column: string; alias?: string; cast?: Cast }

/** Postgres cuts names at 63 bytes; what is longer, or holds more than letters, digits, `_`, `$`, `-` and spaces, is no name. */
const ALIAS = /^[\p{L}_][\p{L}\p{N}_$ -]*$/u
const NAME_BYTES = 63

/** Types that a column may be cast to, as SQL has them. None of them looks anything up, as `regclass` and its kin do. */
export const CASTS = {
  text: 'text',
  varchar: 'varchar',
  'character varying': 'varchar',
  bool: 'bool',
  boolean: 'bool',
  int2: 'int2',
  smallint: 'int2',
  int4: 'int4',
  int: 'int4',
  integer: 'int4',
  int8: 'int8',
  bigint: 'int8',
  numeric: 'numeric',
  decimal: 'numeric',
  float4: 'float4',
  real: 'float4',
  float8: 'float8',
  'double precision': 'float8',
  json: 'json',
  jsonb: 'jsonb',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  interval: 'interval',
} as const

export type Cast = keyof typeof CASTS

const isCast = (name: string): name is Cast => Object.hasOwn(CASTS, name)

/** Reads `select`: `*`, `column`, `alias:column`, `column::type`. Embedding, aggregates and paths into JSON are refused. */
export function parseSelection(text: string | null): Selected[] {
  if (text === null) return ['*']
  return splitList(text).map((item) => parseSelected(item.trim(), text))
}

function parseSelected(item: string, text: string): Selected {
  if (item === '*') return '*'
  const unquoted = item.replace(/"(?:[^"\\]|\\.)*(?:"|$)/gs, '""')
  if (/[()]/.test(unquoted) || unquoted.startsWith('...'))
    throw RestError.notServed('Embedding or an aggregate')
  const match = /^(?:("(?:[^"\\]|\\.)*"|[^:"]+):(?!:))?("(?:[^"\\]|\\.)*"|[^:"]+)(?:::([^:"]+))?$/s.exec(item)
  const [, alias, column, cast] = match ?? []
  if (column === undefined) throw RestError.unreadable('select parameter', text)
  const name = alias === undefined ? undefined : unquote(alias)
  if (name !== undefined && !(ALIAS.test(name) && Buffer.byteLength(name) <= NAME_BYTES))
    throw RestError.unreadable('select parameter', text, `"${name}" cannot be a name`)
  const type = cast?.trim().toLowerCase()
  if (type !== undefined && !isCast(type)) throw RestError.notServed(`A cast to ${type}`)
  return {
    column: columnName(column),
    ...(name !== undefined && { alias: name }),
    ...(type !== undefined && { cast: type }),
  }
}
