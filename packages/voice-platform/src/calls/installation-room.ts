import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'

/** How long an answer is good, in milliseconds, so that a crowd does not ask the database for each call. Where no room is left, it is less. */
const KEPT_MS = { room: 1_000, none: 100 }

export interface InstallationRoomOptions {
  db: Db
  /** This process (a UUID). */
  owner: string
  /** How many calls this process holds at once; infinite without a limit. */
  most: number
  clock: Clock
}

/** Calls that all processes hold at most, and how many more they can hold now. */
interface Figures {
  places: number
  room: number
}

interface Answer {
  at: number
  figures: Promise<Figures>
  room: Promise<number>
  /** The same, once it is known. */
  known: number
  /** Calls that were created here since, or are about to be. */
  taken: number
}

/**
 * How many more calls all processes of the installation can hold: what each holds at most, without the open calls, in the database. Within
 * a second two processes may give away the same room; then the second caller is refused at the door.
 */
export class InstallationRoom {
  readonly #options: InstallationRoomOptions
  #answer: Answer | undefined

  constructor(options: InstallationRoomOptions) {
    this.#options = options
  }

  /** Tells the others how many calls this process holds at once, once it is in the list of processes; 0 when it takes no more. */
  async tell(most = this.#options.most): Promise<void> {
    const { db, owner } = this.#options
    if (Number.isFinite(most))
      await db.query(`update voice_platform.processes set calls_most = $2 where id = $1`, [owner, most])
  }

  /** Whether any process has room, this one included. Rejects where the database cannot be asked. */
  async isLeft(): Promise<boolean> {
    const answer = this.#current()
    return (await answer.room) > answer.taken
  }

  /**
   * Takes room for one call, in this process or another; undefined where none is left. What it resolves with gives the room back: for a call
   * that was not created. Rejects where the database cannot be asked.
   */
  async take(): Promise<(() => void) | undefined> {
    const answer = this.#current()
    if ((await answer.room) <= answer.taken) return undefined
    answer.taken += 1
    return () => {
      answer.taken -= 1
    }
  }

  /** Calls that all processes hold at once at most; infinite without a limit. Rejects where the database cannot be asked. */
  async places(): Promise<number> {
    return (await this.#current().figures).places
  }

  #current(): Answer {
    const now = this.#options.clock.monotonic()
    const last = this.#answer
    if (last && now - last.at < (last.known > last.taken ? KEPT_MS.room : KEPT_MS.none)) return last
    const figures = this.#ask()
    const answer: Answer = {
      at: now,
      figures,
      room: figures.then(({ room }) => room),
      known: Number.POSITIVE_INFINITY,
      taken: 0,
    }
    answer.room.then(
      (room) => {
        answer.known = room
      },
      () => {
        answer.known = 0
      },
    )
    this.#answer = answer
    return answer
  }

  /** A process that takes no more calls has no room, and what it still holds takes none of the others'. */
  async #ask(): Promise<Figures> {
    const { db, most } = this.#options
    if (!Number.isFinite(most)) return { places: most, room: most }
    const { rows } = await db.query<{ places: number | null; room: number | null }>(
      `select sum(coalesce(p.calls_most, $1::int))::float8 as places,
         sum(coalesce(p.calls_most, $1::int) - o.open)::float8 as room
       from voice_platform.processes p
       cross join lateral (
         select count(*)::int as open from voice_platform.calls where owner = p.id and status <> 'ended') o
       where p.calls_most is distinct from 0`,
      [most],
    )
    return { places: rows[0]?.places ?? 0, room: rows[0]?.room ?? 0 }
  }
}
