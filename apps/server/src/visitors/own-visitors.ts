import { createVisitorDesk, type VisitorDesk } from '@heyline/back-office'
import {
  createVisitorSearch,
  createVisitors,
  type VisitorSearch,
  type Visitors,
} from '@heyline/backend/stored-visitors'
import type { Db } from '@heyline/database'

/** The visitors as all use them, and as operators do in the console. */
export interface VisitorParts {
  visitors: Visitors
  visitorSearch: VisitorSearch
  visitorDesk: VisitorDesk
}

/** The visitors of our own table. */
export const ownVisitors = (db: Db): VisitorParts => ({
  visitors: createVisitors(db),
  visitorSearch: createVisitorSearch(db),
  visitorDesk: createVisitorDesk(db),
})
