import { CommandError } from '../terminal/command-error.js'

/** A whole number from 1 to `most`. */
export function limitOf(text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  throw new CommandError('usage', `--limit is 1 to ${most}, not "${text}": export gives all of them`)
}
