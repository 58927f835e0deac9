import { mapInTurns } from '@heyline/kit/loop-turn'
import { type ArrayText, parseArrayText } from './array-text.js'
import type { Result } from './db.js'

/** What a statement gave, before decoding: both drivers deliver this. */
export interface RawResult {
  fields: { name: string; type: number }[]
  rows: (string | null)[][]
  /** The count of Postgres's command tag; 0 where it has none. */
  affected: number
}

type Decode = (text: string) => unknown

/** As an assignment makes a property. */
const PLAIN = { configurable: true, enumerable: true, writable: true }

const asText: Decode = (text) => text

/**
 * Oid of a type, oid of its array type, and how its text is read; whatever is not listed stays text.
 * The oids are Postgres's own constants (pg_type.dat).
 */
const TYPES: [type: number, array: number, decode: Decode][] = [
  [16, 1000, (text) => text === 't'], // bool
  [17, 1001, decodeBytes], // bytea
  [20, 1016, Number], // int8
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [26, 1028, Number], // oid
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [114, 199, JSON.parse], // json
  [3802, 3807, JSON.parse], // jsonb
  [1114, 1115, decodeTimestamp], // timestamp
  [1184, 1185, decodeTimestamp], // timestamptz
  [1082, 1182, asText], // date
  [1700, 1231, asText], // numeric
  [25, 1009, asText], // text
  [1043, 1015, asText], // varchar
  [1042, 1014, asText], // bpchar
  [2950, 2951, asText], // uuid
]

const DECODERS = new Map<number, Decode>(
  TYPES.flatMap(([type, array, decode]): [number, Decode][] => [
    [type, (text) => decode(text)],
    [array, (text) => decodeItems(parseArrayText(text), decode)],
  ]),
)

/** Rows as objects with the values that `Queryable` promises. Many rows take several turns of the event loop. */
export async function decodeResult<Row>(raw: RawResult): Promise<Result<Row>> {
  const columns = raw.fields.map(({ name, type }) => ({ name, decode: DECODERS.get(type) ?? asText }))
  const hasProto = columns.some(({ name }) => name === '__proto__')
  const rows = await mapInTurns(raw.rows, (values) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ name, decode }, index) => {
      const text = values[index] ?? null
      const value = text === null ? null : decode(text)
      if (hasProto) Object.defineProperty(row, name, { value, ...PLAIN })
      else row[name] = value
    })
    return row as Row
  })
  return { rows, rowCount: rows.length || raw.affected }
}

function decodeItems(items: ArrayText, decode: Decode): unknown[] {
  return items.map((item) => {
    if (item === null) return null
    return typeof item === 'string' ? decode(item) : decodeItems(item, decode)
  })
}

function decodeBytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
}

const TIMESTAMP =
  /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

/** Both timestamp types, in DateStyle ISO, cut to milliseconds; `infinity` becomes an Invalid Date. */
function decodeTimestamp(text: string): Date {
  const match = TIMESTAMP.exec(text)
  if (!match) return new Date(Number.NaN)
  const part = (index: number): number => Number(match[index] ?? 0)
  const year = match[12] ? 1 - part(1) : part(1)
  const date = new Date(0)
  date.setUTCFullYear(year, part(2) - 1, part(3))
  date.setUTCHours(part(4), part(5), part(6), Math.floor(Number(`0.${match[7] ?? 0}`) * 1000 + 1e-6))
  const offset = ((part(9) * 60 + part(10)) * 60 + part(11)) * 1000
  return new Date(date.getTime() - (match[8] === '-' ? -offset : offset))
}
