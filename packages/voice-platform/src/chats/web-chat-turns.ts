import type { Queryable } from '@heyline/database'

/** How long a conversation may be gone on with. */
const HOURS = 24
/** How long it stands: the last answer has time to be stored. */
const HOURS_KEPT = 25

/** How many answers the conversations of pages have left. */
export class WebChatTurns {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Begins a conversation with so many answers. The first is taken. */
  async begin(sessionId: string, assistantId: string, answers: number): Promise<void> {
    await this.#db.query(
      `delete from voice_platform.web_chats where created_at < now() - interval '${HOURS_KEPT} hours'`,
      [],
    )
    await this.#db.query(
      'insert into voice_platform.web_chats (session_id, assistant_id, turns_left) values ($1, $2, $3)',
      [sessionId, assistantId, answers - 1],
    )
  }

  /** Takes an answer of a conversation with this assistant. False: there is no such conversation, it is old, or it has none left. */
  async take(sessionId: string, assistantId: string): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `update voice_platform.web_chats set turns_left = turns_left - 1
       where session_id = $1 and assistant_id = $2 and turns_left > 0 and created_at > now() - interval '${HOURS} hours'`,
      [sessionId, assistantId],
    )
    return rowCount === 1
  }

  /** The answer that was taken last was not given. */
  async giveBack(sessionId: string): Promise<void> {
    await this.#db.query(
      'update voice_platform.web_chats set turns_left = turns_left + 1 where session_id = $1',
      [sessionId],
    )
  }

  /** Nobody goes on with it. */
  async forget(sessionId: string): Promise<void> {
    await this.#db.query('delete from voice_platform.web_chats where session_id = $1', [sessionId])
  }
}
