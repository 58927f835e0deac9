import { randomUUID } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import type { Db, Queryable } from '@heyline/database'
import { derivedKey } from '@heyline/kit/secret'
import { SettingError } from '@heyline/kit/setting-error'
import { Relay, systemClock } from '@heyline/voice-platform'
import type { Logger } from 'pino'
import type { KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'

/** No address that others could be told. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export interface RelayEndOptions {
  settings: Settings
  db: Pick<Db, 'kind'>
  /** The address that the database sees this server at. It is asked for only where the server listens everywhere. */
  seenAt: () => Promise<string | null>
  keys: Pick<KeyRing, 'platformPrivate'>
  logger: Logger
}

/** What all servers of an installation prove to each other that they have: derived from the platform's private key, which they share. */
const relayKey = ({ platformPrivate }: RelayEndOptions['keys']): Uint8Array =>
  derivedKey(platformPrivate, 'heyline relay')

/** How the other servers of the installation reach this one; undefined where there are none. Rejects with a `SettingError`. */
export async function openRelay({
  settings,
  db,
  seenAt,
  keys,
  logger,
}: RelayEndOptions): Promise<Relay | undefined> {
  if (db.kind === 'pglite' || settings.platform) return undefined
  const { port, address } = settings.relay
  const host = settings.relay.host ?? (await ownAddress(settings.host, seenAt))
  if (EVERYWHERE.has(host) && address === undefined)
    throw new SettingError(
      'RELAY_ADDRESS',
      `RELAY_HOST is ${host}, so set the address at which the other servers reach this one`,
    )
  const relay = await Relay.open({
    ...{ host, port, processId: randomUUID(), key: relayKey(keys), clock: systemClock },
    ...(address !== undefined && { address }),
  }).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'EADDRINUSE'
      ? new SettingError('RELAY_PORT', `${port} is in use on ${host}: set another one, or 0`, { cause })
      : new SettingError('RELAY_HOST', `${host} can not be listened on (${cause.code})`, { cause })
  })
  logger.info({ address: relay.address }, 'other servers of this installation reach this one directly')
  return relay
}

/** Where this server asks the database from; null where that is no network, as with a socket of this machine. */
export async function addressSeenBy(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ address: string | null }>('select host(inet_client_addr()) as address')
  return rows[0]?.address ?? null
}

/** The address of this machine that other machines most probably reach: where this server listens, or where the database sees it. */
async function ownAddress(host: string, seenAt: RelayEndOptions['seenAt']): Promise<string> {
  if (!EVERYWHERE.has(host)) return host
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const seen = await seenAt()
  const asked = own.find(({ address, internal }) => !internal && address === seen)
  const outward = own.filter(({ internal, scopeid }) => !internal && !scopeid)
  const [first] = outward.toSorted((one, other) => one.family.localeCompare(other.family))
  return (asked ?? first)?.address ?? '127.0.0.1'
}
