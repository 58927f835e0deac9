import { unstorablePlace } from '@heyline/kit/storable'
import { z } from 'zod'
import { templateFiller, type Variables } from './template.js'

/** Most aliases of a plan. */
const MOST_ALIASES = 50
const MOST_TEMPLATE = 1_000
/** Most characters of a value. */
const MOST_VALUE = 4_000

/** The first half of a character that the cut has torn. */
const HALF_AT_END = /[\uD800-\uDBFF]$/

/** Further variables of a `variableExtractionPlan`: each value is Liquid. */
export const variableAliases = z
  .array(
    z.strictObject({
      key: z.string().regex(/^[A-Za-z]\w{0,39}$/, {
        error: 'must be a letter, and then up to 39 letters, digits and _',
      }),
      value: z.string().max(MOST_TEMPLATE),
    }),
  )
  .max(MOST_ALIASES)

export type VariableAliases = z.output<typeof variableAliases>

/** The aliases with their values. Each sees the variables, and the aliases before it. All of them together do as much work as one filler may. */
export function aliasedVariables(
  aliases: VariableAliases,
  { values, now }: Variables,
): Record<string, unknown> {
  const known = { ...values }
  const found: Record<string, unknown> = {}
  const fill = templateFiller({ values: known, now })
  for (const { key, value } of aliases) {
    const text = fill(value, MOST_VALUE).replace(HALF_AT_END, '')
    if (unstorablePlace(text) !== undefined) continue
    known[key] = text
    found[key] = text
  }
  return found
}
