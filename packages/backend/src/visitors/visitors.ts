import { DatabaseError, type Db } from '@heyline/database'
import { type NewVisitor, parseNewVisitor } from './new-visitor.js'
import { VisitorError } from './visitor-error.js'

/** A visitor as the command lists it; the prompts are long and private, so they are not here. */
export interface ListedVisitor {
  slug: string
  name: string
}

/** Who may be greeted: the list that the operator keeps, wherever it is stored. */
export interface Visitors {
  /** Adds one; resolves once it is stored for good. Rejects with a `VisitorError`. */
  add(visitor: NewVisitor): Promise<ListedVisitor>
  /** All of them, the oldest first. Rejects with a `VisitorError`. */
  list(): Promise<ListedVisitor[]>
}

const UNIQUE_VIOLATION = '23505'

/** The visitors of the built-in backend, as the database's owner sees them. */
export function createVisitors(db: Db): Visitors {
  return {
    async add(input) {
      const { slug, name, system, firstMessage } = parseNewVisitor(input)
      try {
        await db.query(
          'insert into public.visitors (slug, name, system, first_message) values ($1, $2, $3, $4)',
          [slug, name, system || null, firstMessage || null],
        )
      } catch (error) {
        if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION)
          throw VisitorError.slugTaken(slug, { cause: error })
        throw new VisitorError('visitors_unreachable', 'The visitor could not be stored', { cause: error })
      }
      return { slug, name }
    },
    async list() {
      const { rows } = await db.query<ListedVisitor>(
        'select slug, name from public.visitors order by created_at, slug',
      )
      return rows
    },
  }
}
