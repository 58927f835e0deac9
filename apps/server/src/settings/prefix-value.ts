import { z } from 'zod'

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
