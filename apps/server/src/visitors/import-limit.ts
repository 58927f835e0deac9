import { VisitorError } from '@heyline/backend/stored-visitors'

/** An import of more than so many bytes; the remedy says what to do. */
export const tooLarge = (limit: number, remedy: string) =>
  new VisitorError('too_large', `The visitors are more than ${limit / 1_000_000} MB at once: ${remedy}`)
