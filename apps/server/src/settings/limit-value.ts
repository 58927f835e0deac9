import type { Limit, NumbersLimit } from '@heyline/call-desk'
import { z } from 'zod'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** How long who asks for too many numbers is refused, where nothing is said. */
const BLOCK_MS = DAY

const SHAPE = 'a count, a slash and a time, like 3/24h (s, m, h, d) or 5/ever'

/** `30d` in ms; undefined for what is no time. */
function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([smhd])$/.exec(text) ?? []
  const unitMs = UNITS[unit]
  return count && unitMs ? Number(count) * unitMs : undefined
}

/** `3/24h`; undefined for what is no limit. Nothing is counted for ever but where `ever` is allowed. */
function limitOf(text: string, ever: boolean): Limit | undefined {
  const [, most, window = ''] = /^([1-9]\d{0,5})\/(\w+)$/.exec(text.trim()) ?? []
  if (!most) return undefined
  const windowMs = ever && window === 'ever' ? Number.POSITIVE_INFINITY : spanOf(window)
  return windowMs === undefined ? undefined : { most: Number(most), windowMs }
}

/** Limits, separated by commas: `3/24h,5/ever`. `off` is none. */
export const limits = z.string().transform((text, context): Limit[] => {
  if (text === 'off') return []
  return text.split(',').flatMap((word) => {
    const limit = limitOf(word, true)
    if (limit) return [limit]
    context.addIssue({ code: 'custom', message: `holds "${word.trim()}", which is not ${SHAPE}` })
    return []
  })
})

/** One limit, which may be the only one: `5/2m`. `off` is none. */
export const oneLimit = z.string().transform((text, context): Limit | undefined => {
  const limit = limitOf(text, false)
  if (!limit && text !== 'off')
    context.addIssue({ code: 'custom', message: 'is neither off nor a count, a slash and a time, like 5/2m' })
  return limit
})

/** A limit, and how long it then blocks: `3/1h:24h`, or `3/1h` for a day. `off` is none. */
export const numbersLimit = z.string().transform((text, context): NumbersLimit | undefined => {
  if (text === 'off') return undefined
  const [first = '', block, ...more] = text.split(':')
  const limit = limitOf(first, false)
  const blockMs = block === undefined ? BLOCK_MS : spanOf(block)
  if (limit && blockMs !== undefined && more.length === 0) return { ...limit, blockMs }
  context.addIssue({
    code: 'custom',
    message: 'is neither off nor a limit and how long it blocks, like 3/1h:24h',
  })
  return undefined
})

/** A whole number of 1 or more. `off` is none. */
export const most = z.string().transform((text, context): number | undefined => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  if (text !== 'off')
    context.addIssue({ code: 'custom', message: 'is neither off nor a whole number of 1 or more' })
  return undefined
})

/** How many times as much, 1 or more. `off` is none. */
export const factor = z.string().transform((text, context): number | undefined => {
  if (/^[1-9]\d{0,3}(\.\d{1,2})?$/.test(text)) return Number(text)
  if (text !== 'off')
    context.addIssue({ code: 'custom', message: 'is neither off nor a number of 1 or more, like 3' })
  return undefined
})
