import { z } from 'zod'

const MILLION = 1_000_000

/** US dollars as millionths of one; undefined for what is no amount of them above zero. */
export function dollarsOf(text: string): number | undefined {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(text)) return undefined
  const amount = Math.round(Number(text) * MILLION)
  return amount > 0 ? amount : undefined
}

/** Millionths of a US dollar as people read them: `0.25`. */
export const dollarsText = (amount: number): string => String(amount / MILLION)

/** A price in US dollars, in millionths of one. */
export const dollars = z.string().transform((text, context): number => {
  const amount = dollarsOf(text)
  if (amount === undefined)
    context.addIssue({ code: 'custom', message: 'is not an amount of US dollars above 0, like 0.25' })
  return amount ?? 0
})

/** A price in US dollars that may be 0, in millionths of one. */
export const price = z.string().transform((text, context): number => {
  if (/^0(\.0{1,6})?$/.test(text)) return 0
  const amount = dollarsOf(text)
  if (amount === undefined)
    context.addIssue({ code: 'custom', message: 'is not an amount of US dollars, like 0 or 0.20' })
  return amount ?? 0
})

/** A budget in US dollars, in millionths of one. `off` is none. */
export const budget = z.string().transform((text, context): number | undefined => {
  const amount = dollarsOf(text)
  if (amount === undefined && text !== 'off')
    context.addIssue({
      code: 'custom',
      message: 'is neither off nor an amount of US dollars above 0, like 10',
    })
  return amount
})
