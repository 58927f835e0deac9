import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { within } from './within.js'

const CHANNEL = 'heyline_ready'

const UNHEARD =
  'Notifications of the database do not come back, so this server hears of nothing that others do. Behind a pooler in transaction mode set DATABASE_DIRECT_URL to a connection past it; otherwise the log of the server says why.'

export interface NotificationCheckOptions {
  db: Pick<Db, 'query' | 'listen'>
  clock: Clock
  /** How long a notification may take to come back, in ms. */
  patienceMs: number
}

/** Sends a notification to itself, as everything here does that has to be known by others. */
export class NotificationCheck {
  readonly #options: NotificationCheckOptions
  readonly #awaited = new Map<string, () => void>()
  #listening: Promise<() => Promise<void>> | undefined

  constructor(options: NotificationCheckOptions) {
    this.#options = options
  }

  /** Undefined where it was heard, otherwise why that matters and what to do. Never rejects. */
  async run(): Promise<string | undefined> {
    const { clock, patienceMs } = this.#options
    const word = randomUUID()
    try {
      await within(this.#heard(word), patienceMs, clock)
      return undefined
    } catch {
      return UNHEARD
    } finally {
      this.#awaited.delete(word)
    }
  }

  async close(): Promise<void> {
    const listening = this.#listening
    this.#listening = undefined
    const unlisten = await listening?.catch(() => undefined)
    await unlisten?.()
  }

  async #heard(word: string): Promise<void> {
    const heard = new Promise<void>((resolve) => this.#awaited.set(word, resolve))
    this.#listening ??= this.#listen()
    await this.#listening
    await this.#options.db.query('select pg_notify($1, $2)', [CHANNEL, word], { urgent: true })
    await heard
  }

  #listen(): Promise<() => Promise<void>> {
    const listening = this.#options.db.listen(CHANNEL, (word) => this.#awaited.get(word)?.())
    listening.catch(() => {
      if (this.#listening === listening) this.#listening = undefined
    })
    return listening
  }
}
