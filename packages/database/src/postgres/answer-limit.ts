import type { Client, ClientBase, Connection } from 'pg'

/** How much longer than its patience a statement may take, in ms. Postgres itself ends it when the patience is over. */
const GRACE_MS = 4_000
/** A process that stood still reads first what came meanwhile, in ms. */
const LAST_LOOK_MS = 1_000

/**
 * Cuts connections on which Postgres does not answer. A machine that is lost, and whatever drops a connection between here and there, tells
 * nobody: without this, a statement waits until the system gives up, which takes a quarter of an hour, or hours.
 */
export class AnswerLimit {
  readonly #onSilent: (askedAt: number) => void
  readonly #answeredAt = new WeakMap<ClientBase, number>()

  /** `onSilent` hears of each that was cut, and when its statement was asked. */
  constructor(onSilent: (askedAt: number) => void) {
    this.#onSilent = onSilent
  }

  /** Whether an answer came on the connection after that. */
  hasAnswered(client: ClientBase, since: number): boolean {
    return (this.#answeredAt.get(client) ?? 0) > since
  }

  /** Has `statement` rejected where it takes longer than it may. With infinite patience it waits as long as the connection stands. */
  async during<T>(client: ClientBase, patienceMs: number, statement: () => Promise<T>): Promise<T> {
    if (patienceMs === Number.POSITIVE_INFINITY) return await statement()
    const askedAt = performance.now()
    const cutIt = (): void => {
      cut(client)
      this.#onSilent(askedAt)
    }
    let timer = setTimeout(() => {
      timer = setTimeout(cutIt, LAST_LOOK_MS)
    }, patienceMs + GRACE_MS)
    try {
      return await statement()
    } finally {
      clearTimeout(timer)
      this.#answeredAt.set(client, performance.now())
    }
  }
}

/** Ends a connection without a word: the driver's own `end` waits for an answer where no statement is under way. */
export function cut(client: ClientBase): void {
  const { connection } = client as Client & { connection: Connection }
  connection.stream.destroy()
}
