import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import { z } from 'zod'
import { EVENT_TYPES } from '../events/event.js'
import { newEndpointSecret } from '../messages/signature.js'
import { urlProblem } from '../outgoing/target-url.js'
import { type Courier, NO_MAIL } from './courier.js'
import {
  type AttemptPage,
  type Delivery,
  type DeliveryPage,
  type LogQuery,
  listAttempts,
  listDeliveries,
  replay,
} from './delivery-log.js'
import {
  ENDPOINTS_MOST,
  type Endpoint,
  type EndpointChange,
  type EndpointKind,
  type EndpointWithSecret,
  endpointChange,
  type NewEndpoint,
  newEndpoint,
  type TestResult,
} from './endpoint.js'
import { EndpointError } from './endpoint-error.js'
import { endpointRow, shownEndpoints, wakeSenders } from './endpoint-rows.js'
import type { EndpointSecrets } from './sealed-secrets.js'

export interface EndpointsOptions {
  db: Db
  secrets: EndpointSecrets
  courier: Courier
  /** Addresses of private networks and of this machine are permitted, and so is http. */
  allowPrivate: boolean
  /** Whether there is a mail server. */
  hasMail: boolean
}

/** How long the secret before signs, too, in hours. */
const FORMER_HOURS = 24
/** Postgres takes no other text for an id. */
const uuid = z.uuid()

/** Whom to tell what happened. Rejects with an `EndpointError`, or a `ZodError` for what can't be read. */
export class Endpoints {
  readonly #options: EndpointsOptions

  constructor(options: EndpointsOptions) {
    this.#options = options
  }

  /** The oldest first. */
  list(): Promise<Endpoint[]> {
    return shownEndpoints(this.#options.db)
  }

  async find(id: string): Promise<Endpoint> {
    return await found(this.#options.db, id)
  }

  async add(given: NewEndpoint): Promise<EndpointWithSecret> {
    const wanted = newEndpoint.parse(given)
    this.#check(wanted.kind, wanted.target, wanted.isDigest)
    const { db, secrets } = this.#options
    const [id, secret] = [randomUUID(), wanted.kind === 'webhook' ? newEndpointSecret() : null]
    return await db.transaction(async (tx) => {
      await tx.query('lock table timeline.endpoints in share row exclusive mode')
      const { rows } = await tx.query('select from timeline.endpoints where not is_of_settings')
      if (rows.length >= ENDPOINTS_MOST)
        throw new EndpointError(
          'too_many_endpoints',
          `There are ${ENDPOINTS_MOST} endpoints: remove one first`,
        )
      await tx.query(
        `insert into timeline.endpoints (id, name, kind, target, events, is_digest, secret)
         values ($1, $2, $3, $4, array(select jsonb_array_elements_text($5::jsonb)), $6, $7)`,
        [
          id,
          wanted.name,
          wanted.kind,
          wanted.target,
          wanted.events,
          wanted.isDigest,
          secret && secrets.seal(id, secret),
        ],
      )
      return { endpoint: await found(tx, id), secret }
    })
  }

  /** What waits for an endpoint is sent once it is enabled again. That of the settings can be disabled and enabled only. */
  async update(id: string, given: EndpointChange): Promise<Endpoint> {
    const { isEnabled, ...change } = endpointChange.parse(given)
    return await this.#options.db.transaction(async (tx) => {
      const before = await found(tx, id)
      const changes = Object.values(change).some((value) => value !== undefined)
      if (changes) {
        refuseOfSettings(before)
        const after = { ...before, ...withoutGaps(change) }
        this.#check(after.kind, after.target, after.isDigest)
        await tx.query(
          `update timeline.endpoints set name = $2, target = $3, events = array(select jsonb_array_elements_text($4::jsonb)), is_digest = $5
           where id = $1`,
          [id, after.name, after.target, after.events, after.isDigest],
        )
        if (after.isDigest !== before.isDigest)
          await tx.query(
            `update timeline.deliveries set run_at = case when $2 then timeline.next_digest() else now() end
             where endpoint_id = $1 and state = 'pending' and claim is null`,
            [id, after.isDigest],
          )
      }
      if (isEnabled !== undefined)
        await tx.query(
          `update timeline.endpoints set disabled_reason = case when $2 then null else coalesce(disabled_reason, 'An operator disabled it') end,
             disabled_at = case when $2 then null else coalesce(disabled_at, now()) end where id = $1`,
          [id, isEnabled],
        )
      await wakeSenders(tx)
      return await found(tx, id)
    })
  }

  /** Gives a webhook another secret. The one before signs, too, for 24 hours: receivers have that long to take the new one. */
  async rotate(id: string): Promise<EndpointWithSecret> {
    const secret = newEndpointSecret()
    const { db, secrets } = this.#options
    return await db.transaction(async (tx) => {
      const before = await found(tx, id)
      refuseOfSettings(before)
      if (before.kind !== 'webhook')
        throw new EndpointError('no_secret', 'Only webhooks are signed: this endpoint has no secret')
      await tx.query(
        `update timeline.endpoints set former_secret = secret, former_until = now() + interval '${FORMER_HOURS} hours', secret = $2
         where id = $1`,
        [id, secrets.seal(id, secret)],
      )
      return { endpoint: await found(tx, id), secret }
    })
  }

  /** With all that it was told, and was still to be told. */
  async remove(id: string): Promise<void> {
    const { db } = this.#options
    await db.transaction(async (tx) => {
      refuseOfSettings(await found(tx, id))
      await tx.query('delete from timeline.endpoints where id = $1', [id])
    })
  }

  /** Sends a message of its own at once, which is stored nowhere and tried once. */
  async sendTest(id: string): Promise<TestResult> {
    const { db, courier } = this.#options
    await found(db, id)
    const row = await endpointRow(db, id)
    if (!row) throw notFound()
    const { status, ms, error } = await courier.tell(row, {
      id: randomUUID(),
      type: 'endpoint.test',
      at: new Date().toISOString(),
      slug: null,
      actor: 'operator',
      callId: null,
      payload: {},
      name: null,
    })
    return { isDelivered: error === null, status, ms, error }
  }

  /** The tries, the newest first. */
  async attempts(id: string, query: LogQuery): Promise<AttemptPage> {
    await found(this.#options.db, id)
    return await listAttempts(this.#options.db, id, query)
  }

  /** What it was told or is to be told, the newest event first. */
  async deliveries(
    id: string,
    query: LogQuery & { state?: Delivery['state'] | undefined },
  ): Promise<DeliveryPage> {
    await found(this.#options.db, id)
    return await listDeliveries(this.#options.db, id, query)
  }

  /** Sends one event again, or all that were given up. Resolves with how many there are. */
  async replay(id: string, eventId?: string): Promise<number> {
    const event = uuid.optional().parse(eventId)
    return await this.#options.db.transaction(async (tx) => {
      await found(tx, id)
      return await replay(tx, id, event)
    })
  }

  /**
   * The one endpoint that settings make: it is told of everything. Undefined removes it. Of two secrets the first is the new one, and both sign.
   */
  async setOfSettings(given: { url: string; secrets: readonly string[] } | undefined): Promise<void> {
    const { db, secrets } = this.#options
    await db.transaction(async (tx) => {
      await tx.query('lock table timeline.endpoints in share row exclusive mode')
      const { rows } = await tx.query<{ id: string }>(
        'select id from timeline.endpoints where is_of_settings',
      )
      if (!given) {
        await tx.query('delete from timeline.endpoints where is_of_settings')
        return
      }
      const id = rows[0]?.id ?? randomUUID()
      const [secret = null, former = null] = given.secrets.map((one) => secrets.seal(id, one))
      await tx.query(
        `insert into timeline.endpoints as p (id, name, kind, target, events, is_of_settings, secret, former_secret, former_until)
         values ($1, 'EVENTS_URL', 'webhook', $2, array(select jsonb_array_elements_text($3::jsonb)), true, $4, $5,
           case when $5::text is not null then 'infinity'::timestamptz end)
         on conflict (id) do update set events = excluded.events, secret = excluded.secret,
           former_secret = excluded.former_secret, former_until = excluded.former_until, target = excluded.target,
           disabled_at = case when p.target = excluded.target then p.disabled_at end,
           disabled_reason = case when p.target = excluded.target then p.disabled_reason end`,
        [id, given.url, EVENT_TYPES, secret, former],
      )
    })
  }

  #check(kind: EndpointKind, target: string, isDigest: boolean) {
    if (isDigest && kind !== 'email')
      throw new EndpointError('invalid_target', 'Only e-mail has a daily digest')
    if (kind === 'email') {
      if (!this.#options.hasMail) throw new EndpointError('no_mail', NO_MAIL)
      if (!z.email().max(254).safeParse(target).success)
        throw new EndpointError('invalid_target', `"${target}" is not one e-mail address`)
      return
    }
    const problem = urlProblem(target, this.#options.allowPrivate)
    if (problem) throw new EndpointError('invalid_target', `The address ${problem}`)
  }
}

async function found(db: Queryable, id: string): Promise<Endpoint> {
  const [one] = uuid.safeParse(id).success ? await shownEndpoints(db, id) : []
  if (!one) throw notFound()
  return one
}

const notFound = () => new EndpointError('endpoint_not_found', 'There is no such endpoint')

function refuseOfSettings({ isOfSettings }: Endpoint) {
  if (isOfSettings)
    throw new EndpointError('of_settings', 'EVENTS_URL and EVENTS_SECRET make this endpoint: change those')
}

/** What was not given changes nothing. */
const withoutGaps = <Values extends object>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: NonNullable<Values[Name]>
  }
