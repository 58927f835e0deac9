import { isCountry } from '@heyline/call-desk/settings'
import { z } from 'zod'
import { dollarsOf } from './money-value.js'

/** Beginnings of numbers, separated by commas: `+1900,+1???976`. `off` is none. */
export const prefixes = z.string().transform((text, context): string[] => {
  if (text === 'off') return []
  const list = text.split(',').map((word) => word.trim())
  for (const word of list)
    if (!/^\+[\d?]{1,15}$/.test(word) || !/\d/.test(word))
      context.addIssue({
        code: 'custom',
        message: `holds "${word}", which is not + and digits (? for any digit), like +1900`,
      })
  return list
})

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

/** Countries with the highest price of a minute in millionths of a US dollar; undefined where the country has no price of its own. */
export type Countries = ReadonlyMap<string, number | undefined>

/** `US,CA,GB=0.40`: countries that may be called, each by its ISO code, with the highest price of a minute there where it has its own. */
export const countries = z.string().transform((text, context): Countries => {
  const found = new Map<string, number | undefined>()
  for (const word of text.split(',').map((word) => word.trim())) {
    const fault = take(word, found)
    if (fault) context.addIssue({ code: 'custom', message: `holds "${word}", ${fault}` })
  }
  return found
})

function take(word: string, found: Map<string, number | undefined>): string | undefined {
  const [, code = '', price] = /^([A-Z]{2})(?:=(.*))?$/.exec(word) ?? []
  if (!isCountry(code)) return 'which is not the code of a country that has phone numbers, like US or GB=0.40'
  if (found.has(code)) return 'which is there twice'
  const amount = price === undefined ? undefined : dollarsOf(price)
  if (price !== undefined && amount === undefined)
    return 'whose price is not one of US dollars a minute, like 0.40'
  found.set(code, amount)
  return undefined
}
