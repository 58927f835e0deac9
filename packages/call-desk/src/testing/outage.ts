import { DatabaseError, type Db } from '@heyline/database'

/** Whether a statement that meets the beginning of an outage took effect. */
export type Lost = 'answer' | 'statement'

/** A database that goes away at the first statement that matches, and stays away until `isDown` is false again. */
export class Outage {
  readonly db: Db
  isDown = false
  /** How many statements were answered since it came back. */
  answered = 0
  #isAhead = true

  constructor(db: Db, begins: RegExp, lost: Lost) {
    this.db = {
      kind: db.kind,
      query: async (text, ...rest) => {
        this.#check()
        const isMet = this.#isAhead && begins.test(text)
        if (isMet) this.#isAhead = false
        if (isMet && lost === 'statement') this.#begin()
        const result = await db.query(text, ...rest)
        if (isMet) this.#begin()
        if (!this.#isAhead) this.answered++
        return result as never
      },
      exec: async (sql) => {
        this.#check()
        return await db.exec(sql)
      },
      transaction: async (...transaction) => {
        this.#check()
        return await db.transaction(...transaction)
      },
      listen: (channel, heard) => db.listen(channel, heard),
      close: () => db.close(),
    }
  }

  #begin(): never {
    this.isDown = true
    throw DatabaseError.stopped()
  }

  #check(): void {
    if (this.isDown) throw new DatabaseError('The database is away.', { code: '08006' })
  }
}
