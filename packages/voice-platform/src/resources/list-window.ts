import { z } from 'zod'
import { moment } from './moment.js'

/** What every plain list can be narrowed by (https://docs.vapi.ai/api-reference/calls/list). */
export interface ListWindow {
  /** Most items, 0–1000; 100 where none is asked for. */
  limit: number
  createdAtGt?: Date
  createdAtLt?: Date
  createdAtGe?: Date
  createdAtLe?: Date
  updatedAtGt?: Date
  updatedAtLt?: Date
  updatedAtGe?: Date
  updatedAtLe?: Date
}

const time = moment.optional()

export const listWindow = {
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(1000))
    .default(100),
  createdAtGt: time,
  createdAtLt: time,
  createdAtGe: time,
  createdAtLe: time,
  updatedAtGt: time,
  updatedAtLt: time,
  updatedAtGe: time,
  updatedAtLe: time,
}

const COMPARISONS = [
  ['createdAtGt', 'created_at >'],
  ['createdAtLt', 'created_at <'],
  ['createdAtGe', 'created_at >='],
  ['createdAtLe', 'created_at <='],
  ['updatedAtGt', 'updated_at >'],
  ['updatedAtLt', 'updated_at <'],
  ['updatedAtGe', 'updated_at >='],
  ['updatedAtLe', 'updated_at <='],
] as const satisfies readonly (readonly [keyof ListWindow, string])[]

/** Whether something of this time, which never changes, is within a list's times. */
export function isWithin(time: Date, window: ListWindow): boolean {
  const later = [window.createdAtGt, window.updatedAtGt]
  const notBefore = [window.createdAtGe, window.updatedAtGe]
  const earlier = [window.createdAtLt, window.updatedAtLt]
  const notAfter = [window.createdAtLe, window.updatedAtLe]
  return (
    later.every((bound) => bound === undefined || time > bound) &&
    notBefore.every((bound) => bound === undefined || time >= bound) &&
    earlier.every((bound) => bound === undefined || time < bound) &&
    notAfter.every((bound) => bound === undefined || time <= bound)
  )
}

/** Columns, or texts of JSON columns, and the value asked for, if any: one of several where it is a list. */
export type Equal = Record<string, string | readonly string[] | undefined>

/** A condition that is no equation: its SQL around the parameter, and the value asked for, if any. */
export type Condition = readonly [sql: (parameter: string) => string, value: unknown]

/** `where` of a list, or nothing where all is asked for. */
export function whereSql(
  window: Partial<ListWindow>,
  equal: Equal = {},
  also: readonly Condition[] = [],
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const conditions: string[] = []
  const add = (comparison: string, value: unknown) => {
    if (value !== undefined) conditions.push(`${comparison} $${parameters.push(value)}`)
  }
  for (const [column, value] of Object.entries(equal)) {
    if (typeof value === 'string' || value === undefined) add(`${column} =`, value)
    else
      conditions.push(
        `${column}::text = any (array(select jsonb_array_elements_text($${parameters.push(value)})))`,
      )
  }
  for (const [name, comparison] of COMPARISONS) add(comparison, window[name])
  for (const [condition, value] of also)
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`))
  return { sql: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', parameters }
}

/** How the SQL of a statement writes its nth parameter. */
export type Written = (n: number) => string
const plainly: Written = (n) => `$${n}`

/** `where`, `order by` and `limit` of a list, newest first. */
export function windowSql(
  window: ListWindow,
  equal: Equal = {},
  limitAs: Written = plainly,
): { sql: string; parameters: unknown[] } {
  const { sql, parameters } = whereSql(window, equal)
  return {
    sql: `${sql} order by created_at desc, id limit ${limitAs(parameters.push(window.limit))}`,
    parameters,
  }
}

/**
 * A whole number that Postgres does not look at before it plans. Of a prepared statement it keeps one plan only where none for the values at
 * hand would seem cheaper, and for a small limit one always does. To plan a list takes longer than to read it.
 */
export const unseenNumber: Written = (n) => `(select $${n}::int)`
