import { z } from 'zod'

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

const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a valid ISO 8601 date string')
  .transform((text) => new Date(text))
  .optional()

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

/** `where`, `order by` and `limit` of a list, newest first. `equal` maps columns to the values asked for, if any. */
export function windowSql(
  window: ListWindow,
  equal: Record<string, string | undefined> = {},
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const conditions: string[] = []
  const add = (comparison: string, value: unknown) => {
    if (value !== undefined) conditions.push(`${comparison} $${parameters.push(value)}`)
  }
  for (const [column, value] of Object.entries(equal)) add(`${column} =`, value)
  for (const [name, comparison] of COMPARISONS) add(comparison, window[name])
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  return {
    sql: `${where} order by created_at desc, id limit $${parameters.push(window.limit)}`,
    parameters,
  }
}
