import type { WrittenNumber } from '@heyline/kit/written-number'
import type { Queryable } from '../db/db.js'

/** Columns of a table that may tell of a number. Names and conditions are SQL of ours, where the rows are `r`. */
export interface HidingPlace {
  table: string
  /** Which rows may be changed. */
  where: string
  /** By what the rows are looked through: columns with their types, of which the first is a time and the last the primary key. */
  order: readonly (readonly [column: string, type: string])[]
  texts?: readonly string[]
  /** Columns of JSON, stored as `jsonb`. */
  json?: readonly string[]
  /** Columns of text that hold a JSON object, and its fields that hold words: the others stay. What is no JSON object is a text. */
  documents?: readonly { column: string; words: readonly string[] }[]
  /** Columns that become null where they tell of the number. */
  emptied?: readonly string[]
}

/** Where a part ended: the values of its last row, as `order` has them. */
export type HidingCursor = readonly string[]

export interface HiddenPart {
  /** Where the next part begins; undefined after the last. */
  after: HidingCursor | undefined
  /** How many rows were changed. */
  hidden: number
}

export interface HidingPartOptions {
  /** Where the part before ended; undefined for the first. */
  after?: HidingCursor | undefined
  /** Most rows that are looked at. */
  size: number
  /** Rows of before are left out, by the first column of the order. */
  from?: Date | undefined
}

/** A row that changes under the hands so often is changed in vain: an error says so. */
const MOST_TRIES = 20

/** Takes the number out of the next `size` rows behind `after`: in no transaction and under no lock. It may be repeated. */
export async function hideInRows(
  db: Queryable,
  place: HidingPlace,
  number: WrittenNumber,
  { after, size, from }: HidingPartOptions,
): Promise<HiddenPart> {
  const { table, where, order } = place
  const columns = order.map(([column]) => `r.${column}`)
  const key = columns.at(-1)
  const behind = order.map(([, type], index) => `($2::jsonb ->> ${index})::${type}`)
  const told = columnsOf(place).map((column) => `r.${column}::text ~ $1`)
  const { rows } = await db.query<{ after: string[]; id: string; likely: boolean }>(
    `select jsonb_build_array(${columns.join(', ')}) as after, ${key}::text as id, coalesce((${where}) and (${told.join(' or ')}), false) as likely
     from ${table} r where ($2::jsonb is null or (${columns.join(', ')}) > (${behind.join(', ')}))
       and ($3::timestamptz is null or ${columns[0]} >= $3)
     order by ${columns.join(', ')} limit ${size}`,
    [number.likely, after, from],
  )
  let hidden = 0
  for (const { id, likely } of rows) if (likely && (await hideInRow(db, place, number, id))) hidden++
  return { after: rows.length < size ? undefined : rows.at(-1)?.after, hidden }
}

const columnsOf = ({ texts = [], json = [], documents = [], emptied = [] }: HidingPlace): string[] => [
  ...texts,
  ...json,
  ...documents.map(({ column }) => column),
  ...emptied,
]

/** Resolves with whether there was anything to hide. Others may change the row: then it is read again. */
async function hideInRow(db: Queryable, place: HidingPlace, number: WrittenNumber, id: string) {
  const { table, where, order } = place
  const columns = columnsOf(place)
  const [key, type] = order.at(-1) ?? ['id', 'uuid']
  const mine = `r.${key} = $1::${type} and ${where}`
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { rows } = await db.query<{ version: string; told: (string | null)[] }>(
      `select r.xmin::text as version, jsonb_build_array(${columns.map((column) => `r.${column}::text`).join(', ')}) as told
       from ${table} r where ${mine}`,
      [id],
    )
    const [row] = rows
    if (!row) return false
    const left = columns.map((column, index) => without(place, column, row.told[index] ?? null, number))
    if (left.every((text, index) => text === row.told[index])) return false
    const set = columns.map((column, index) => `${column} = ${given(place, column, index + 3)}`)
    const { rowCount } = await db.query(
      `update ${table} r set ${set.join(', ')} where ${mine} and r.xmin::text = $2`,
      [id, row.version, ...left],
    )
    if (rowCount > 0) return true
  }
  throw new Error(`A row of ${table} changed again and again while a number was taken out of it.`)
}

const given = ({ json }: HidingPlace, column: string, parameter: number): string =>
  json?.includes(column) ? `$${parameter}::text::jsonb` : `$${parameter}`

function without(place: HidingPlace, column: string, told: string | null, number: WrittenNumber) {
  if (told === null) return null
  if (place.texts?.includes(column)) return number.text(told)
  if (place.emptied?.includes(column)) return number.text(told) === told ? told : null
  if (place.json?.includes(column)) return number.json(told)
  const document = place.documents?.find((one) => one.column === column)
  const fields = document && fieldsOf(told)
  if (!fields) return number.text(told)
  const changed = Object.entries(fields).flatMap(([field, value]) => {
    if (!document.words.includes(field) || typeof value !== 'string') return []
    const left = number.text(value)
    return left === value ? [] : [[field, left]]
  })
  return changed.length === 0 ? told : JSON.stringify({ ...fields, ...Object.fromEntries(changed) })
}

/** Undefined where the text is no JSON object. */
function fieldsOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
