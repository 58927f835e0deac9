import type { NewVisitor, Visitors } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { type NewEvent, recordEvent } from '@heyline/timeline'
import type { Logger } from 'pino'
import { each } from '../lines/each.js'

export interface ToldVisitorsOptions {
  /** Where the timeline is. */
  db: Db
  /** Who changes them. */
  actor: () => Promise<string>
  logger: Logger
}

type Told = Pick<
  NewEvent<'visitor.created' | 'visitor.changed' | 'visitor.removed'>,
  'type' | 'slug' | 'payload'
>
type Field = 'slug' | 'name' | 'system' | 'firstMessage' | 'listed'

const FIELDS: Readonly<Record<string, Field>> = {
  slug: 'slug',
  name: 'name',
  system: 'system',
  firstMessage: 'firstMessage',
  first_message: 'firstMessage',
  listed: 'listed',
}
const fieldsOf = (names: readonly string[]): Field[] => names.flatMap((name) => FIELDS[name] ?? [])

/** Events of one transaction. */
const AT_ONCE = 500

/**
 * Visitors in a table that is hosted elsewhere, whose changes are told after they are made: no trigger of ours is there. An event that can't
 * be stored is lost, and the change stands.
 */
export function toldVisitors(visitors: Visitors, { db, actor, logger }: ToldVisitorsOptions): Visitors {
  async function tell(events: readonly Told[]): Promise<void> {
    try {
      const name = await actor()
      for (let start = 0; start < events.length; start += AT_ONCE)
        await db.transaction(async (tx) => {
          for (const event of events.slice(start, start + AT_ONCE))
            await recordEvent(tx, { ...event, actor: name })
        })
    } catch (err) {
      logger.error({ err }, 'changes of visitors are not in the timeline')
    }
  }
  return {
    ...visitors,
    async add(visitor) {
      const added = await visitors.add(visitor)
      await tell([{ type: 'visitor.created', slug: added.slug, payload: {} }])
      return added
    },
    async update(slug, changes) {
      const changed = await visitors.update(slug, changes)
      const formerSlug = changes.slug === undefined || slug === changed.slug ? {} : { formerSlug: slug }
      const payload = { fields: fieldsOf(Object.keys(changes)), ...formerSlug }
      await tell([{ type: 'visitor.changed', slug: changed.slug, payload }])
      return changed
    },
    async remove(slug) {
      const removed = await visitors.remove(slug)
      await tell([{ type: 'visitor.removed', slug: removed.slug, payload: {} }])
      return removed
    },
    async import(batches, options) {
      const events: Told[] = []
      const replaced = { fields: fieldsOf(options?.replace ?? []) }
      // The wire sends all of them at once, too.
      const all: NewVisitor[][] = []
      for await (const batch of batches) all.push(batch)
      for (const batch of all) {
        const taken = await visitors.taken(batch.map(({ slug }) => slug))
        const stored = new Map(taken.map((slug) => [slug.toLowerCase(), slug]))
        for (const { slug } of batch) {
          const there = stored.get(slug.toLowerCase())
          if (there === undefined) events.push({ type: 'visitor.created', slug, payload: {} })
          else events.push({ type: 'visitor.changed', slug: there, payload: replaced })
        }
      }
      const report = await visitors.import(each(all), options)
      await tell(events)
      return report
    },
  }
}
