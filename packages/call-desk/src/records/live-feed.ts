import type { Db, Queryable } from '@heyline/database'
import { Bell } from '@heyline/kit/bell'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import { STATES_CHANNEL } from '../live/state-watch.js'
import { type CallLine, callLine, LINE_COLUMNS, plain } from './call-record.js'
import { shownSwitches } from './desk-status.js'
import type { LiveEvent } from './live-event.js'
import { LiveListener } from './live-listener.js'

/** A change is committed at most so long after the time that it bears; longer than a statement may run. */
const OVERLAP = "interval '10 seconds'"
/** Longest that what was told of a call is remembered, in ms: longer than the overlap. */
const REMEMBER_MS = 30_000

/** What others than the desk tell the same consoles. */
export interface OtherNews<Event> {
  /** The channel of NOTIFY on which it comes. */
  channel: string
  /** What a notification says; told at once. */
  eventsOf(payload: string): Event[]
}

interface Told {
  text: string
  at: number
}

/**
 * Tells any number of consoles what changes, also by other processes, within a second: one LISTEN and one reader for all of them, while there
 * is any. A notification only wakes: what is told is read from the rows, so that a lost one costs a second at most.
 */
export class LiveFeed<Other extends { event: string } = never> {
  readonly #db: Db
  readonly #others: readonly OtherNews<Other>[]
  readonly #listeners = new Set<LiveListener<LiveEvent | Other>>()
  #closing: AbortController | undefined
  #ready: Promise<void> | undefined

  constructor(db: Db, others: readonly OtherNews<Other>[] = []) {
    this.#db = db
    this.#others = others
  }

  /** Changes from now on, in parts, until the signal is aborted or the database can't be read. The switches come first. */
  async *follow(signal: AbortSignal): AsyncGenerator<(LiveEvent | Other)[]> {
    const listener = new LiveListener<LiveEvent | Other>()
    const end = () => listener.end()
    signal.addEventListener('abort', end)
    this.#listeners.add(listener)
    try {
      await this.#start()
      yield [{ event: 'switches', data: await shownSwitches(this.#db) }]
      while (!signal.aborted) {
        const events = await listener.next()
        if (!events) return
        yield events
      }
    } finally {
      signal.removeEventListener('abort', end)
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  /** Resolves when no change is missed any more. */
  #start(): Promise<void> {
    if (this.#ready) return this.#ready
    const closing = new AbortController()
    this.#closing = closing
    const ready = new Promise<void>((resolve, reject) => {
      this.#run(closing.signal, resolve).catch((error: unknown) => {
        reject(error)
        // Broken streams say more than silent ones: consoles come back by themselves.
        if (this.#closing !== closing) return
        for (const listener of this.#listeners) listener.end()
        this.#stop()
      })
    })
    this.#ready = ready
    return ready
  }

  #stop(): void {
    this.#closing?.abort()
    this.#closing = undefined
    this.#ready = undefined
  }

  async #run(signal: AbortSignal, ready: () => void): Promise<void> {
    const bell = new Bell(signal)
    const notified = new Set<string>()
    const unlisten: (() => Promise<void>)[] = []
    try {
      unlisten.push(
        await this.#db.listen(STATES_CHANNEL, (id) => {
          notified.add(id)
          bell.ring()
        }),
        await this.#db.listen(SWITCHES_CHANNEL, () => bell.ring()),
      )
      for (const { channel, eventsOf } of this.#others)
        unlisten.push(
          await this.#db.listen(channel, (payload) => {
            for (const event of eventsOf(payload)) this.#tell(event.event, event)
          }),
        )
      const told = new Map<string, Told>()
      for (const line of await changedLines(this.#db)) remember(told, line)
      let switches = JSON.stringify(await shownSwitches(this.#db))
      ready()
      while (await bell.wait()) {
        const ids = [...notified]
        notified.clear()
        const lines = await changedLines(this.#db)
        for (const line of lines)
          if (remember(told, line)) this.#tell(line.id, { event: 'call', data: { id: line.id, line } })
        for (const id of await goneOf(this.#db, without(ids, lines)))
          this.#tell(id, { event: 'call', data: { id, line: null } })
        const now = await shownSwitches(this.#db)
        if (JSON.stringify(now) !== switches) this.#tell('switches', { event: 'switches', data: now })
        switches = JSON.stringify(now)
        forget(told)
      }
    } finally {
      await Promise.all(unlisten.map((stop) => stop()))
    }
  }

  #tell(key: string, event: LiveEvent | Other): void {
    for (const listener of this.#listeners) listener.tell(key, event)
  }
}

async function changedLines(db: Queryable): Promise<CallLine[]> {
  const { rows } = await db.query(
    `select ${LINE_COLUMNS} from call_desk.call_requests c
     where c.updated_at > now() - ${OVERLAP} order by c.updated_at, c.id`,
  )
  return rows.map((row) => callLine.parse(plain(row)))
}

const without = (ids: readonly string[], lines: readonly CallLine[]): string[] =>
  ids.filter((id) => lines.every((line) => line.id !== id))

/** Those of the ids that are among the records no more. */
async function goneOf(db: Queryable, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<{ id: string }>(
    `select asked.id from jsonb_array_elements_text($1::jsonb) asked(id)
     where not exists (select from call_desk.call_requests c where c.id = asked.id::uuid)`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/** Whether the line is news. */
function remember(told: Map<string, Told>, line: CallLine): boolean {
  const text = JSON.stringify(line)
  const isNew = told.get(line.id)?.text !== text
  told.set(line.id, { text, at: performance.now() })
  return isNew
}

function forget(told: Map<string, Told>): void {
  for (const [id, { at }] of told) if (at < performance.now() - REMEMBER_MS) told.delete(id)
}
