import { OperatorsError, sessionCookie } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { BoundedLog } from '@heyline/kit/bounded-log'
import { Opens } from '@heyline/timeline'
import type { Logger } from 'pino'
import type { OperatorsEnd } from './operators-end.js'

export interface OpensEndOptions {
  db: Db
  publicUrl: string
  operators: OperatorsEnd | undefined
  logger: Logger
}

/** What stores that people have opened pages, and tells operators from people. */
export interface OpensEnd {
  opens: Opens
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
  /** Whether the cookie of these headers is an operator's who is signed in. */
  isOperator: (headers: Headers, address: string) => Promise<boolean>
}

/** It forgets old keys also where opens are not counted any more. */
export function openOpens({ db, publicUrl, operators, logger }: OpensEndOptions): OpensEnd {
  const log = new BoundedLog({ logger })
  const opens = new Opens({
    db,
    onError: (err) => log.error('open', { err }, 'an open of a page was not stored'),
  })
  const cookie = sessionCookie(publicUrl)
  return {
    opens,
    async close() {
      await opens.close()
      log.close()
    },
    async isOperator(headers, address) {
      const secret = cookie.read(headers)
      if (secret === undefined || !operators) return false
      try {
        return await operators.doors.sessions.has({ secret, client: { address, userAgent: undefined } })
      } catch (error) {
        // Too many that are made up wait before it: it might be an operator's.
        if (error instanceof OperatorsError) return true
        throw error
      }
    },
  }
}
