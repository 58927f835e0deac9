/** A row of a file that can't be taken. */
export interface BadRow {
  /** Where it begins, from 1. */
  line: number
  /** What is wrong with it, for people. */
  reason: string
}
