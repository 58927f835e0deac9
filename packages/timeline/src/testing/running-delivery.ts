import { randomBytes } from 'node:crypto'
import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { createDelivery, type DeliveryOptions } from '../delivery/delivery.js'
import { recordEvent } from '../events/record-event.js'
import type { EventMail } from '../messages/event-mail.js'

/** Delivery of a test: private addresses are permitted, mails are kept, and nothing is sent before `start`. */
export function openTestDelivery(db: Db, options: Partial<DeliveryOptions> = {}) {
  const mails: EventMail[] = []
  const delivery = createDelivery({
    db,
    key: randomBytes(32),
    allowPrivate: true,
    linkOf: ({ id }) => `https://demo.example/-/office/timeline/events/${id}`,
    pageOf: ({ slug }) => `https://demo.example/-/console/visitors/${slug}`,
    sendMail: async (mail) => void mails.push(mail),
    logger: pino({ level: 'silent' }),
    pollMs: 50,
    ...options,
  })
  return { ...delivery, mails }
}

/** Somebody opens pages, each an hour after the last time: one event each, which is told. */
export async function opened(db: Db, ...slugs: string[]): Promise<void> {
  for (const slug of slugs) {
    await db.query("update timeline.events set at = at - interval '1 hour' where slug = $1", [slug])
    await recordEvent(db, { type: 'page.opened', slug, actor: 'visitor', payload: {} })
  }
}
