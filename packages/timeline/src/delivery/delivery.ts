import { type Db, isDateSure } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import { Courier, type CourierOptions } from '../endpoints/courier.js'
import { Endpoints } from '../endpoints/endpoints.js'
import { EndpointSecrets } from '../endpoints/sealed-secrets.js'
import { removeOldDeliveries } from './old-deliveries.js'
import { Sender, type SenderOptions } from './sender.js'

export interface EndpointsParts extends Omit<CourierOptions, 'secrets' | 'clock'> {
  db: Db
  /** 32 bytes, the same in all processes of an installation. It seals the endpoints' secrets. */
  key: Uint8Array
  clock?: Pick<Clock, 'now'>
}

export interface DeliveryOptions
  extends EndpointsParts,
    Pick<SenderOptions, 'pollMs' | 'leaseMs' | 'chance'> {
  logger: Logger
}

/** Who tells endpoints what happened. */
export interface Delivery {
  endpoints: Endpoints
  /** Begins to send, and to remove old deliveries once an hour. */
  start(): Promise<void>
  /** Resolves when what is under way has ended. */
  close(): Promise<void>
}

/** Endpoints by themselves, for a process that sends nothing. */
export const createEndpoints = (parts: EndpointsParts): Endpoints => partsOf(parts).endpoints

/** Endpoints, and what sends to them. */
export function createDelivery({ logger, pollMs, leaseMs, chance, ...parts }: DeliveryOptions): Delivery {
  const { endpoints, courier } = partsOf(parts)
  const { db } = parts
  const sender = new Sender({
    db,
    courier,
    logger,
    ...(pollMs !== undefined && { pollMs }),
    ...(leaseMs !== undefined && { leaseMs }),
    ...(chance && { chance }),
  })
  let endCleaning = async () => {}
  return {
    endpoints,
    async start() {
      await sender.start()
      endCleaning = everyHour({
        run: async () => {
          if (await isDateSure(db, logger)) await removeOldDeliveries(db)
        },
        onError: (err) =>
          logger.error({ err }, 'old deliveries could not be removed; the next try is in an hour'),
      })
    },
    async close() {
      await Promise.all([sender.close(), endCleaning()])
    },
  }
}

function partsOf({ db, key, clock = systemClock, ...options }: EndpointsParts) {
  const secrets = new EndpointSecrets(key)
  const courier = new Courier({ ...options, secrets, clock })
  const { allowPrivate, sendMail } = options
  return {
    courier,
    endpoints: new Endpoints({ db, secrets, courier, allowPrivate, hasMail: sendMail !== undefined }),
  }
}
