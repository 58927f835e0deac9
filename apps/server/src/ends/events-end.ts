import type { Mailer } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { createDelivery, type Delivery, type ToldEvent } from '@heyline/timeline'
import type { Logger } from 'pino'
import { endpointsKey, type KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'
import { consoleUrl } from './console-url.js'

export interface EventsEndOptions {
  settings: Pick<Settings, 'events'>
  db: Db
  keys: Pick<KeyRing, 'secret'>
  publicUrl: string
  /** Undefined: nothing is mailed. */
  mail: Pick<Mailer, 'sendText'> | undefined
  logger: Logger
}

/** Sends what happened to the endpoints that operators have made, and to that of the settings. */
export async function openEvents(options: EventsEndOptions): Promise<Delivery> {
  const { settings, db, keys, publicUrl, mail, logger } = options
  const { allowPrivate, endpoint } = settings.events
  const delivery = createDelivery({
    db,
    key: endpointsKey(keys),
    allowPrivate,
    linkOf: ({ id }) => `${publicUrl}/-/office/timeline/event?id=${id}`,
    pageOf: (event) => consoleUrl(publicUrl) + screenOf(event),
    sendMail: mail?.sendText,
    logger,
  })
  await delivery.endpoints.setOfSettings(endpoint)
  await delivery.start()
  return delivery
}

/** The screen of the console that shows more. */
function screenOf({ slug, type }: Pick<ToldEvent, 'slug' | 'type'>): string {
  if (slug !== null && type !== 'visitor.removed') return `visitors/${encodeURIComponent(slug)}`
  return slug === null ? 'safety' : 'visitors'
}
