import { DatabaseError, type Db } from '@heyline/database'

/**
 * A database that can be away for a while: every statement fails as long as `isDown`, and each that matches `fails`; and none
 * is answered before `pause` is over. Of the next that matches `losesAnswer` the answer is lost: it has its effect and fails.
 */
export class Outage {
  readonly db: Db
  isDown = false
  pause: Promise<void> | undefined
  fails: RegExp | undefined
  losesAnswer: RegExp | undefined
  /** How many statements have failed. */
  failed = 0
  /** How many single statements the database has not answered yet. */
  underWay = 0

  constructor(db: Db) {
    this.db = {
      kind: db.kind,
      query: async <Row>(sql: string, parameters?: readonly unknown[]) => {
        this.#check(sql)
        await this.pause
        this.underWay++
        try {
          const answer = await db.query<Row>(sql, parameters)
          this.#lose(sql)
          return answer
        } finally {
          this.underWay--
        }
      },
      exec: async (sql) => {
        this.#check(sql)
        return db.exec(sql)
      },
      transaction: async (run) => {
        this.#check('begin')
        return db.transaction(run)
      },
      listen: (channel, heard) => db.listen(channel, heard),
      close: () => db.close(),
    }
  }

  #check(sql: string): void {
    if (!this.isDown && !this.fails?.test(sql)) return
    this.failed++
    throw new DatabaseError('The database is away.', { code: '08006' })
  }

  #lose(sql: string): void {
    if (!this.losesAnswer?.test(sql)) return
    this.losesAnswer = undefined
    this.failed++
    throw new DatabaseError('The database went away before it answered.', { code: '57P01' })
  }
}
