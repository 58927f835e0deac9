import { type Db, SchemaCheck } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import type { Readiness } from '../drain/readiness.js'
import { NotificationCheck } from './notification-check.js'
import { within } from './within.js'

/** How long what was found holds, in ms: anybody may ask, and as often as he likes. */
const STATE_HOLDS_MS = 1_000
const OTHERS_HOLD_MS = 5_000
/** Longest that an answer waits for the database, in ms. */
const PATIENCE_MS = 2_000
/** Names of migrations in a reason. */
const MOST_NAMES = 3

export interface ReadyOptions {
  db: Db
  /** The folder of the migrations. */
  folder: string | URL
  /** Other reasons why this process should be sent no work. */
  readiness: Pick<Readiness, 'reasons'>
  clock?: Clock
}

/** One thing that has to hold; where it does not, the reason says why and what to do, without values of any setting. */
export interface ReadyCheck {
  check: string
  ok: boolean
  reason?: string
}

/** Undefined where all is well. */
type Reason = string | undefined

const UNKNOWN = 'Not known while the database does not answer.'
const AWAY = `The database did not answer within ${PATIENCE_MS / 1000} s: the log of the server says why.`
const READ_ONLY =
  'The database takes no writes: default_transaction_read_only is on. Turn it off, or lead DATABASE_URL to a database that takes writes.'
const STANDBY = 'The database is a standby, which takes no writes: lead DATABASE_URL to the primary.'

/**
 * Whether this process can be sent work: its database answers, takes writes and has the schema of this build, notifications are heard, and
 * it is not about to stop. However many ask, and however many statements wait for a connection, the database is asked once a second, and for
 * a notification and the schema once in five.
 */
export class Ready {
  readonly #options: ReadyOptions
  readonly #state: KeptAnswer<{ database: Reason; writable: Reason }>
  readonly #schema: KeptAnswer<Reason>
  readonly #heard: KeptAnswer<Reason>
  readonly #notifications: NotificationCheck

  constructor(options: ReadyOptions) {
    this.#options = options
    const { db, folder, clock = systemClock } = options
    const inTime = <Value>(asked: Promise<Value>) => within(asked, PATIENCE_MS, clock)
    const schema = new SchemaCheck(folder)
    this.#notifications = new NotificationCheck({ db, clock, patienceMs: PATIENCE_MS })
    this.#state = new KeptAnswer({
      keptMs: STATE_HOLDS_MS,
      clock,
      ask: () =>
        inTime(writableOf(db)).then(
          (writable) => ({ database: undefined, writable }),
          () => ({ database: AWAY, writable: UNKNOWN }),
        ),
    })
    this.#schema = new KeptAnswer({
      keptMs: OTHERS_HOLD_MS,
      clock,
      ask: () => inTime(schemaOf(db, schema)).catch(() => UNKNOWN),
    })
    this.#heard = new KeptAnswer({
      keptMs: OTHERS_HOLD_MS,
      clock,
      ask: () => this.#notifications.run(),
    })
  }

  /** `/-/live`: 200 as long as this process answers at all. */
  live(): Response {
    return answer({ live: true }, 200)
  }

  /** `/-/ready`: 200, or 503 with the reason of each check that fails. */
  async ready(): Promise<Response> {
    const checks = await this.checks()
    const ready = checks.every(({ ok }) => ok)
    return answer({ ready, checks }, ready ? 200 : 503)
  }

  /** Never rejects. */
  async checks(): Promise<ReadyCheck[]> {
    const { database, writable } = await this.#state.get()
    const [notifications, migrations] =
      database === undefined ? await Promise.all([this.#heard.get(), this.#schema.get()]) : [UNKNOWN, UNKNOWN]
    const { reasons } = this.#options.readiness
    const stated = reasons.map(({ code, message }) => said(code, message))
    return [
      said('database', database),
      said('writable', writable),
      said('notifications', notifications),
      said('migrations', migrations),
      ...(reasons.some(({ code }) => code === 'draining') ? [] : [said('draining', undefined)]),
      ...stated,
    ]
  }

  close(): Promise<void> {
    return this.#notifications.close()
  }
}

const said = (check: string, reason: Reason): ReadyCheck =>
  reason === undefined ? { check, ok: true } : { check, ok: false, reason }

const answer = (body: object, status: number) =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

async function writableOf(db: Db): Promise<Reason> {
  const { rows } = await db.query<{ standby: boolean; readOnly: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`,
    [],
    { urgent: true },
  )
  const [state] = rows
  if (state?.standby) return STANDBY
  return state?.readOnly ? READ_ONLY : undefined
}

async function schemaOf(db: Db, schema: SchemaCheck): Promise<Reason> {
  const { missing, edited } = await schema.run(db, { urgent: true })
  if (missing.length > 0)
    return `The database lacks migrations of this version (${names(missing)}): restart this server, which applies them.`
  if (edited.length > 0)
    return `Migrations were applied with another text than this version has (${names(edited)}): start the version that the database belongs to.`
  return undefined
}

const names = (files: string[]) =>
  `${files.slice(0, MOST_NAMES).join(', ')}${files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : ''}`
