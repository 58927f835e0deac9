import type { Mailer } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import {
  createDelivery,
  createEndpoints,
  type Delivery,
  type Endpoints,
  type ToldEvent,
} from '@heyline/timeline'
import type { Logger } from 'pino'
import { endpointsKey } from '../keys/derived-keys.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'
import { consoleUrl } from './console-url.js'

export interface EndpointsEndOptions {
  settings: Pick<Settings, 'events'>
  db: Db
  keys: Pick<KeyRing, 'secret'>
  publicUrl: string
  /** Undefined: nothing is mailed. */
  mail: Pick<Mailer, 'sendText'> | undefined
}

export interface EventsEndOptions extends EndpointsEndOptions {
  logger: Logger
}

/** Sends what happened to the endpoints that operators have made, and to that of the settings. */
export async function openEvents(options: EventsEndOptions): Promise<Delivery> {
  const delivery = createDelivery({ ...partsOf(options), logger: options.logger })
  await delivery.endpoints.setOfSettings(options.settings.events.endpoint)
  await delivery.start()
  return delivery
}

/** The endpoints alone, for a process that sends nothing but tests. */
export const openEndpoints = (options: EndpointsEndOptions): Endpoints => createEndpoints(partsOf(options))

const partsOf = ({ settings, db, keys, publicUrl, mail }: EndpointsEndOptions) => ({
  db,
  key: endpointsKey(keys),
  allowPrivate: settings.events.allowPrivate,
  linkOf: ({ id }: Pick<ToldEvent, 'id'>) => `${publicUrl}/-/office/timeline/event?id=${id}`,
  pageOf: (event: ToldEvent) => consoleUrl(publicUrl) + screenOf(event),
  sendMail: mail?.sendText,
})

/** The screen of the console that shows more. */
function screenOf({ slug, type }: Pick<ToldEvent, 'slug' | 'type'>): string {
  if (slug !== null && type !== 'visitor.removed') return `visitors/${encodeURIComponent(slug)}`
  return slug === null ? 'safety' : 'visitors'
}
