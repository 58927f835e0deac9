import type { Db, Queryable } from '@heyline/database'
import { ResourceStore } from '../resources/resource-store.js'
import type { Ticket, TicketLine, TicketSettings } from './ticket.js'

const FAMILY = 'support-ticket'
const LINE = `id, created_at, settings ->> 'category' as category, settings ->> 'bugSubcategory' as "bugSubcategory",
  settings ->> 'subject' as subject, settings ->> 'writtenBy' as "writtenBy"`
const WHOLE = `${LINE}, settings ->> 'message' as message, settings ->> 'callDetails' as "callDetails"`

/** The channel of NOTIFY that tells each new ticket. */
export const TICKETS_CHANNEL = 'voice_platform_tickets'

type Row<Shown> = Omit<Shown, 'createdAt'> & { created_at: Date }

export interface TicketPage {
  tickets: TicketLine[]
  /** The `before` of the next page; null at the end. */
  next: string | null
}

/** The support tickets that clients of the platform's API wrote: 10,000 at most, and no longer than the words of calls are kept. */
export class Tickets {
  readonly #db: Pick<Db, 'query' | 'exec' | 'transaction'>

  constructor(db: Pick<Db, 'query' | 'exec' | 'transaction'>) {
    this.#db = db
  }

  /** Resolves with its id. Rejects with an `ApiError` 400 where there are too many. */
  async keep(ticket: TicketSettings, writtenBy?: string): Promise<string> {
    const settings = { ...ticket, ...(writtenBy !== undefined && { writtenBy }) }
    return await this.#db.transaction(async (tx) => {
      const { id } = await storeOf(tx).create(settings)
      await tx.query(`select pg_notify('${TICKETS_CHANNEL}', '')`)
      return id
    })
  }

  /** A page, the newest first. `before` is the `next` of the page before: it may name a ticket that was removed meanwhile. */
  async page({ limit, before }: { limit: number; before?: string | undefined }): Promise<TicketPage> {
    const { time = null, id = null } = before === undefined ? {} : placeOf(before)
    const { rows } = await this.#db.query<Row<TicketLine>>(
      `select ${LINE} from voice_platform.resources
       where family = '${FAMILY}' and ($2::timestamptz is null or (created_at, id) < ($2::timestamptz, $3::uuid))
       order by created_at desc, id desc limit $1`,
      [limit + 1, time, id],
    )
    const tickets = rows.slice(0, limit).map(shown)
    const last = tickets.at(-1)
    return { tickets, next: rows.length > limit && last ? `${Date.parse(last.createdAt)}_${last.id}` : null }
  }

  async get(id: string): Promise<Ticket | undefined> {
    const { rows } = await this.#db.query<Row<Ticket>>(
      `select ${WHOLE} from voice_platform.resources where family = '${FAMILY}' and id = $1`,
      [id],
    )
    return rows[0] && shown(rows[0])
  }

  /** Whether there was one. */
  async remove(id: string): Promise<boolean> {
    return (await storeOf(this.#db).delete(id)) !== undefined
  }
}

const storeOf = (db: Queryable) => new ResourceStore(db, { name: FAMILY, secrets: {}, destinations: [] })

/** Milliseconds since 1970, and the id. */
function placeOf(before: string): { time: string; id: string | undefined } {
  const [time, id] = before.split('_')
  return { time: new Date(Number(time)).toISOString(), id }
}

const shown = <Shown extends TicketLine>({ created_at: createdAt, ...row }: Row<Shown>) => ({
  ...row,
  createdAt: createdAt.toISOString(),
})
