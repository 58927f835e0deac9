import type { Db } from '@heyline/database'
import type { Holder } from './reach-process.js'

/** Which other process holds a call: the database knows the owner of each, and where it listens for the others. */
export class HolderStore {
  readonly #db: Db
  readonly #processId: string

  constructor(db: Db, processId: string) {
    this.#db = db
    this.#processId = processId
  }

  /** Undefined for a call that has ended, that this process holds, or whose holder tells no address. */
  async of(callId: string): Promise<Holder | undefined> {
    const { rows } = await this.#db.query<Holder>(
      `select processes.id as process, relay_address as address from voice_platform.calls
       join voice_platform.processes on processes.id = calls.owner
       where calls.id = $1 and status <> 'ended' and owner <> $2 and relay_address is not null`,
      [callId, this.#processId],
    )
    return rows[0]
  }
}
