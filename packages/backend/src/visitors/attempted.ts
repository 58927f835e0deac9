import { DatabaseError } from '@heyline/database'
import { VisitorError } from './visitor-error.js'

const UNIQUE_VIOLATION = '23505'

export const readVisitors = <T>(work: () => Promise<T>) => attempted(work, 'The visitors could not be read')

/** Runs what stores visitors; a slug that is taken is named as Postgres names it, or as `slug`. */
export async function storeVisitors<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await attempted(work, 'The visitor could not be stored')
  } catch (error) {
    const { cause } = error instanceof VisitorError ? error : {}
    if (!(cause instanceof DatabaseError) || cause.code !== UNIQUE_VIOLATION) throw error
    const named = /\)=\((.*)\) already exists/.exec(cause.detail ?? '')?.[1]
    throw VisitorError.slugTaken(slug || named || '?', { cause })
  }
}

async function attempted<T>(work: () => Promise<T>, failure: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new VisitorError('visitors_unreachable', `${failure}: ${error.message}`, { cause: error })
  }
}
