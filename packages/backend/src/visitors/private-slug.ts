import { randomInt } from 'node:crypto'
import { SLUG_LIMIT } from './new-visitor.js'
import { VisitorError } from './visitor-error.js'

/** Letters and digits that nobody takes for one another: without i, l, o, 0 and 1. */
export const ENDING_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Six of 31 characters: nearly a thousand million endings. */
const ENDING_LENGTH = 6

/** Longest slug that still has room for a hyphen and the ending, in characters. */
const LONGEST = SLUG_LIMIT - 1 - ENDING_LENGTH

/** The slug with a random ending, so that nobody finds the page by guessing names. Throws a `VisitorError` for one that is too long. */
export function privateSlug(slug: string): string {
  if (slug.length > LONGEST)
    throw new VisitorError(
      'invalid_slug',
      `With --private a slug has at most ${LONGEST} characters: its random ending needs the others`,
    )
  const ending = Array.from(
    { length: ENDING_LENGTH },
    () => ENDING_ALPHABET[randomInt(ENDING_ALPHABET.length)],
  )
  return `${slug}-${ending.join('')}`
}
