import { randomInt } from 'node:crypto'
import { SLUG_LIMIT } from './new-visitor.js'
import { VisitorError } from './visitor-error.js'

/** Letters and digits that nobody takes for one another: without i, l, o, 0 and 1. */
export const ENDING_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Six of 31 characters: nearly a thousand million endings. */
const ENDING_LENGTH = 6

const ENDING = new RegExp(`-[${ENDING_ALPHABET}]{${ENDING_LENGTH}}$`)

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

/** A slug with a random ending for a name or another text: what no slug may hold is left out, and what is too long is cut. */
export function offeredSlug(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
  return privateSlug(plain || 'visitor')
}

/** A slug like this one with another ending. */
export const likeSlug = (slug: string): string => offeredSlug(slug.replace(ENDING, ''))
