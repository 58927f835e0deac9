import { z } from 'zod'

/** Full hours of a day: from the first, until before the second. */
export interface Hours {
  from: number
  to: number
}

/** `09-20`. `off` is the whole day. */
export const hours = z.string().transform((text, context): Hours | undefined => {
  if (text === 'off') return undefined
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const found = { from: Number(from), to: Number(to) }
  if (from === undefined || found.from >= found.to || found.to > 24)
    context.addIssue({
      code: 'custom',
      message: 'is neither off nor two full hours of a day, the earlier one first, like 09-20',
    })
  return found
})
