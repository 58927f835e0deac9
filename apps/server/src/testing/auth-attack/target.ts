import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import {
  AuthAdmin,
  createOperators,
  OperatorAccess,
  openConsoleDoors,
  type Role,
  type WireClient,
} from '@heyline/back-office'
import { createBackend } from '@heyline/backend'
import { type Db, migrate } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { SQL_FOLDER } from '../../database/open-db.js'
import { office } from '../../http/office.js'
import { ownVisitors } from '../../visitors/own-visitors.js'
import { testEndpoints, UNASKED_PARTS } from '../office-parts.js'

/** What every browser has. */
export const PUBLIC_KEY = 'sb_publishable_of_the_attack'
/** What no attacker has. */
export const SECRET_KEY = 'sb_secret_that_only_the_server_knows'
const JWT_SECRET = 'a-jwt-secret-of-the-attack-with-32-characters'
const PASSWORD = 'correct horse battery'
const ADDRESS_HEADER = 'x-test-address'
const BASE = '/-/backend'
export const ORIGIN = 'https://heyline.example'
export const AUTH = `${BASE}/auth/v1`

/** A number that a viewer may not see in full. */
export const HIDDEN_NUMBER = '+14155552671'
export const CALL_ID = 'abcdef01-0000-4000-8000-000000000000'

export type Serve = (request: Request) => Promise<Response>

/** A weakness: in front of the server, or in its database, with what mends it. */
export type Hole = { wrap: (serve: Serve, at: Target) => Serve } | { tear: string; mend: string }

/** Somebody with an account; what an attacker knows of somebody, or is. */
export interface Person {
  id: string
  email: string
  password: string
}

export interface Tokens {
  access: string
  refresh: string
}

export interface Answer {
  status: number
  /** As lines, without those that differ from answer to answer. */
  headers: string
  text: string
  /** The body, or an empty object where it is no JSON object. */
  json: Record<string, unknown>
  /** How long to wait, in ms; 0 where nothing is said. */
  waitMs: number
}

export interface Asked {
  body?: unknown
  token?: string
  address?: string
  headers?: Record<string, string>
}

const OWN_OF_EACH_ANSWER = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/**
 * A server end with accounts and operators, on a clock that stands still, behind real HTTP. Whoever attacks it uses `ask` alone; the rest
 * makes its victims, and lets time pass.
 */
export class Target {
  readonly clock = new ManualClock(Date.now())
  /** What was sent to telephones. */
  readonly texts: { to: string; body: string }[] = []
  /** Lines of the log that are errors. */
  readonly errors: unknown[] = []
  readonly db: Db
  /** Makes operators and links, as an owner does. */
  readonly office: ReturnType<ReturnType<typeof createOperators>['as']>
  #serve: Serve
  readonly #whole: Serve
  readonly #close: (() => Promise<unknown>)[] = []
  #url = ''
  #people = 0
  #networks = 0

  private constructor(db: Db) {
    this.db = db
    const { clock } = this
    const logger = pino({ level: 'error' }, { write: (line: string) => this.errors.push(JSON.parse(line)) })
    const addressOf = (request: Request) => request.headers.get(ADDRESS_HEADER) ?? '192.0.2.1'
    const backendOf = (origin: string) => {
      const backend = createBackend({
        db,
        keys: { publishable: PUBLIC_KEY, secret: SECRET_KEY, jwtSecret: JWT_SECRET },
        functions: {},
        base: BASE,
        auth: {
          issuer: `${origin}${AUTH}`,
          key: Buffer.alloc(32, 7),
          addressOf,
          sendText: async (text) => void this.texts.push(text),
          siteUrl: `${origin}/-/console/`,
          clock,
        },
        logger,
      })
      this.#close.push(() => backend.close())
      return backend
    }
    const backend = backendOf(ORIGIN)
    const neighbour = backendOf('https://other.example')
    const wire = {
      url: `${ORIGIN}${AUTH}`,
      fetch: ((input, init) => backend.fetch(new Request(input, init))) as typeof fetch,
    }
    const fetchFor = ({ address = '' }: WireClient): typeof fetch => {
      const headers = { [ADDRESS_HEADER]: address }
      return (input, init) =>
        wire.fetch(input, { ...init, headers: { ...Object(init?.headers), ...headers } })
    }
    const auth = new AuthAdmin({ ...wire, secretKey: SECRET_KEY })
    const operators = createOperators({ db, auth, consoleUrl: `${ORIGIN}/-/console/`, ownsAccounts: true })
    this.office = operators.as({ name: 'the owner', address: undefined })
    const access = new OperatorAccess({
      ...wire,
      issuers: [wire.url],
      db,
      auth,
      needsSecondFactor: false,
      clock,
    })
    const doors = openConsoleDoors({
      db,
      key: Buffer.alloc(32, 9),
      clock,
      wire: { ...wire, secretKey: SECRET_KEY, fetchFor },
      access,
      operators,
      consoleUrl: `${ORIGIN}/-/console/`,
      isOwnEnd: true,
    })
    const app = new Hono()
    app.all(`${BASE}/*`, ({ req }) => backend.fetch(req.raw))
    app.all('/neighbour/*', ({ req }) =>
      neighbour.fetch(new Request(req.url.replace('/neighbour', ''), req.raw)),
    )
    app.route(
      '/-/office',
      office({
        ...ownVisitors(db),
        publicUrl: ORIGIN,
        ...UNASKED_PARTS,
        db,
        endpoints: testEndpoints(db),
        secretKey: SECRET_KEY,
        addressOf,
        origins: [ORIGIN],
        operators: { operators, access, doors },
        rotateKeys: async () => ({ kid: 'not rotated' }),
        clock,
      }),
    )
    this.#whole = async (request) => await app.fetch(request)
    this.#serve = this.#whole
  }

  static async open(openDb: () => Promise<Db>): Promise<Target> {
    const db = await openDb()
    await migrate(db, { folder: SQL_FOLDER })
    const target = new Target(db)
    const server = createServer(getRequestListener((request) => target.#serve(request)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    target.#url = `http://127.0.0.1:${Object(server.address()).port}`
    target.#close.unshift(async () => {
      server.closeAllConnections()
      server.close()
    })
    await db.query(
      `insert into call_desk.call_requests (id, phone, slug, body_hash, outcome, transcript, summary, state)
       values ($1, $2, 'acme', 'x', 'completed', $3, $3, 'ended')`,
      [CALL_ID, HIDDEN_NUMBER, `Caller: my number is ${HIDDEN_NUMBER}`],
    )
    await target.operator('owner')
    return target
  }

  /** Runs something while the target has a hole. */
  async withHole<Value>(hole: Hole, run: () => Promise<Value>): Promise<Value> {
    if ('tear' in hole) await this.db.exec(hole.tear)
    else this.#serve = hole.wrap(this.#whole, this)
    try {
      return await run()
    } finally {
      this.#serve = this.#whole
      if ('mend' in hole) await this.db.exec(hole.mend)
    }
  }

  /** One request, by anybody. */
  async ask(method: string, path: string, { body, token, address, headers }: Asked = {}): Promise<Answer> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        apikey: PUBLIC_KEY,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(address !== undefined && { [ADDRESS_HEADER]: address }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: [...answer.headers]
        .filter(([name]) => !OWN_OF_EACH_ANSWER.has(name))
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
      text,
      json: objectOf(text),
      waitMs: Number(answer.headers.get('retry-after') ?? 0) * 1000,
    }
  }

  /** The same request, whose last byte comes once `end` is called. */
  hold(method: string, path: string, { body, token, headers }: Omit<Asked, 'address'>) {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const held = request(`${this.#url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...headers,
      },
    })
    held.write(bytes.subarray(0, -1))
    const answered = once(held, 'response')
    return {
      end: async (): Promise<Pick<Answer, 'status' | 'json'>> => {
        held.end(bytes.subarray(-1))
        const [answer] = await answered
        return { status: answer.statusCode, json: objectOf(await textOf(answer)) }
      },
    }
  }

  /** An e-mail address that nobody has. */
  nobody(): string {
    this.#people += 1
    return `person-${this.#people}@example.com`
  }

  /** An address in a network of its own, which nothing was counted for. */
  address(): string {
    this.#networks += 1
    return `10.${this.#networks >> 8}.${this.#networks & 255}.1`
  }

  /** An account that is no operator's. */
  async account(more: object = {}): Promise<Person> {
    const email = this.nobody()
    const asked = { email, password: PASSWORD, email_confirm: true, ...more }
    const { json } = await this.asService('POST', '/admin/users', asked)
    return { id: String(json.id), email, password: PASSWORD }
  }

  /** An operator who has come in. */
  async operator(role: Role): Promise<Person> {
    const { email, link } = await this.office.invite({ email: this.nobody(), role })
    const { access, id } = await this.use(link)
    await this.ask('PUT', `${AUTH}/user`, { token: access, body: { password: PASSWORD } })
    await this.ask('GET', '/-/office/operators/me', { token: access })
    return { id, email, password: PASSWORD }
  }

  /** Opens an account by a link. */
  async use(link: string): Promise<Tokens & { id: string }> {
    const asked = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)))
    const { json } = await this.ask('POST', `${AUTH}/verify`, { body: asked })
    return { ...tokensOf(json), id: String(Object(json.user).id) }
  }

  /** Rejects where it is refused. `base` names another installation with the same database. */
  async signIn({ email, password }: Person, { address = this.address(), base = '' } = {}): Promise<Tokens> {
    const path = `${base}${AUTH}/token?grant_type=password`
    const { status, text, json } = await this.ask('POST', path, { body: { email, password }, address })
    if (status !== 200) throw new Error(`${email} was not signed in: ${text}`)
    return tokensOf(json)
  }

  /** What the secret key may do at the auth wire. */
  asService(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.ask(method, `${AUTH}${path}`, { body, token: SECRET_KEY, headers: { apikey: SECRET_KEY } })
  }

  async close(): Promise<void> {
    for (const close of this.#close) await close()
    await this.db.close()
  }
}

export const tokensOf = (json: Record<string, unknown>): Tokens => ({
  access: String(json.access_token),
  refresh: String(json.refresh_token),
})

function objectOf(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}
