import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { OperatorAccess } from '../access/operator-access.js'
import type { Visit } from '../access/visit.js'
import { createOperators } from '../operators/operators.js'
import { openConsoleDoors } from '../sessions/console-doors.js'
import type { AuthEnd } from './auth-end.js'

/** The part of a server that has the console's sessions. */
export function sessionsOf(
  end: AuthEnd,
  { clock, needsSecondFactor = false, db = end.db }: { clock: Clock; needsSecondFactor?: boolean; db?: Db },
) {
  const consoleUrl = 'http://localhost:3000/-/console/'
  const access = new OperatorAccess({ ...end, db, needsSecondFactor, clock })
  const operators = createOperators({ ...end, db, consoleUrl })
  const doors = openConsoleDoors({
    db,
    key: new Uint8Array(32).fill(9),
    clock,
    wire: end,
    access,
    operators,
    consoleUrl,
    isOwnEnd: end.ownsAccounts,
  })
  return { operators, ...doors }
}

/** A browser, as far as the sessions see it: a cookie, and who it is. */
export class ConsoleBrowser {
  secret: string | undefined
  /** All cookies that it was given, in order; undefined where one was taken away. */
  readonly given: (string | undefined)[] = []

  get visit(): Visit {
    return {
      secret: this.secret,
      client: { address: '192.0.2.7', userAgent: 'a browser' },
      give: (secret) => {
        this.secret = secret
        this.given.push(secret)
      },
    }
  }
}
