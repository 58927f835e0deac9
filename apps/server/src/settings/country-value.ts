import { isCountry } from '@heyline/call-desk'
import { z } from 'zod'
import { dollarsOf } from './money-value.js'

/** Countries with the highest price of a minute in millionths of a US dollar; undefined where none is said. */
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
