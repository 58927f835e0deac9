import type { z } from 'zod'
import { secret } from './value.js'

/** Fewest characters. 32 of `openssl rand -base64 32` have 192 bits. */
const LEAST = 32
/** Fewest different ones. 32 random hexadecimal digits have fewer once in 370,000 times. */
const LEAST_DIFFERENT = 9
/** Words of examples, and of people who type. */
const WORDS = /change[-_ ]?me|password|passphrase|example|placeholder|heyline|your[-_ ]?secret/i

/** A secret from which others derive. What could be guessed is refused: the page holds keys that derive from it, on which guesses can be tried. */
export const heylineSecret: z.ZodType<string, string> = secret(LEAST).superRefine((text, context) => {
  const reason = weakness(text)
  if (reason) context.addIssue({ code: 'custom', message: `${reason}: heyline secret makes one` })
})

function weakness(text: string): string | undefined {
  if (new Set(text).size < LEAST_DIFFERENT) return `has fewer than ${LEAST_DIFFERENT} different characters`
  if (isRepeated(text)) return 'repeats itself'
  if (isInSequence(text)) return 'is a sequence of characters'
  return WORDS.test(text) ? 'has a word that people guess' : undefined
}

/** One part of it, at most half as long, makes all of it. */
function isRepeated(text: string): boolean {
  const periods = Array.from({ length: Math.floor(text.length / 2) }, (_, index) => index + 1)
  return periods.some((period) =>
    [...text].every((character, index) => index < period || character === text[index - period]),
  )
}

/** Most characters are the neighbours of those before them, as in `abcdef` and `987654`. */
function isInSequence(text: string): boolean {
  const codes = Buffer.from(text)
  const steps = codes.subarray(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1)
  return steps.length > text.length / 2
}
