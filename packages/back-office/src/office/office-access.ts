import { isSameSecret } from '@heyline/kit/secret'
import type { Asked } from '../access/asked.js'
import type { CredentialTurns } from '../access/credential-turns.js'
import type { Operator, OperatorAccess } from '../access/operator-access.js'
import type { Visit } from '../access/visit.js'
import { API_KEY_PREFIX } from '../api-keys/api-key-line.js'
import type { ApiKeys } from '../api-keys/api-keys.js'
import { actorName } from '../audit/audit.js'
import type { Operation } from '../operations/operation.js'
import { OperatorsError } from '../operators/operators-error.js'
import { type Role, reaches } from '../operators/role.js'
import type { ConsoleSessions } from '../sessions/console-sessions.js'
import { isOfOwnPages } from '../sessions/own-pages.js'
import type { SessionCookie } from '../sessions/session-cookie.js'
import { FRESH_MS } from '../sessions/session-state.js'

/** What lets operators in. */
export interface OperatorDoors {
  /** By access tokens. */
  access: Pick<OperatorAccess, 'enter'>
  /** By the console's cookie. */
  sessions: Pick<ConsoleSessions, 'enter'>
  apiKeys: Pick<ApiKeys, 'enter'>
  /** Of credentials that nobody has shown yet. */
  turns: Pick<CredentialTurns, 'run'>
}

export interface OfficeAccessOptions {
  /** It opens everything. */
  secretKey: string
  /** Undefined: only the secret key opens anything. */
  operators: OperatorDoors | undefined
  cookie: SessionCookie
  /** Of our own pages. */
  origins: readonly string[]
  /** The client's address, where it is known. */
  addressOf: (request: Request) => string | undefined
  clock: { now(): number }
  /** How refusals name the roles, where the wire has words of its own. */
  roleNames?: Readonly<Record<Role, string>>
}

/** Longest name of a browser that is passed on. */
const LONGEST_USER_AGENT = 400

/** Says who asks for an operation, or rejects with an `OperatorsError`. */
export class OfficeAccess {
  readonly #options: OfficeAccessOptions

  constructor(options: OfficeAccessOptions) {
    this.#options = options
  }

  /** @param give Adds a `Set-Cookie` to the answer. */
  async enter(
    request: Request,
    operation: Pick<Operation, 'role' | 'stepUp' | 'reads'>,
    give: (cookie: string) => void,
  ): Promise<Omit<Asked, 'left' | 'check' | 'readMuch' | 'changeMany'>> {
    const { secretKey, addressOf } = this.#options
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const visit = this.#visitOf(request, bearer, give)
    const address = addressOf(request)
    const asked = { request, visit }
    if (bearer === undefined) this.#refuseForeignPage(request, visit, operation)
    if (operation.role === 'anyone')
      return { ...asked, operator: undefined, actor: { name: 'anyone', address } }
    if (bearer !== undefined && isSameSecret(bearer, secretKey))
      return { ...asked, operator: undefined, actor: { name: 'secret key', address } }
    const changes = request.method !== 'GET' && !(operation.reads && !operation.stepUp)
    const { operator, keyId, keyName } = await this.#operatorOf(bearer, visit, changes)
    this.#refuse(operator, operation, keyName)
    // What matters is not done in a session that ended a moment ago.
    if (operation.stepUp) await this.#operatorOf(bearer, visit, changes, { isFresh: true })
    const name = actorName(operator.email, keyName)
    return { ...asked, operator, keyId, actor: { name, address } }
  }

  /** Who sends a bearer is that one, whatever cookie comes along: what is checked of the one must not open the other. */
  #visitOf(request: Request, bearer: string | undefined, give: (cookie: string) => void): Visit {
    const { cookie, addressOf } = this.#options
    return {
      secret: bearer === undefined ? cookie.read(request.headers) : undefined,
      client: {
        address: addressOf(request),
        userAgent: request.headers.get('user-agent')?.slice(0, LONGEST_USER_AGENT),
      },
      give: (secret) => give(cookie.write(secret)),
    }
  }

  /** A cookie comes with whatever page asks; so does what a sign-in makes. */
  #refuseForeignPage(request: Request, { secret }: Visit, { role }: Pick<Operation, 'role'>): void {
    if (secret === undefined && role !== 'anyone') return
    if (!isOfOwnPages(request, this.#options.origins))
      throw new OperatorsError(
        'foreign_page',
        'Only the console itself may ask this: open it at PUBLIC_URL, or send the header Origin with that address',
      )
  }

  async #operatorOf(
    bearer: string | undefined,
    visit: Visit,
    changes: boolean,
    fresh: { isFresh?: boolean } = {},
  ): Promise<{ operator: Operator; keyId?: string; keyName?: string }> {
    const { operators } = this.#options
    if (!operators) throw unauthorized()
    const { access, apiKeys, turns } = operators
    const { address } = visit.client
    if (bearer?.startsWith(API_KEY_PREFIX)) {
      const { keyId, keyName, ...operator } = await turns.run(bearer, address, () => apiKeys.enter(bearer))
      return { operator: { ...operator, aal: undefined, enteredAt: 0 }, keyId, keyName }
    }
    // An access token is a JWT.
    if (bearer?.split('.').length === 3)
      return { operator: await turns.run(bearer, address, () => access.enter(bearer, fresh)) }
    if (bearer !== undefined || visit.secret === undefined) throw unauthorized()
    const { operator, mayChange } = await operators.sessions.enter(visit, fresh)
    if (!mayChange && changes) throw unauthorized()
    return { operator }
  }

  #refuse(
    { role, enteredAt }: Operator,
    operation: Pick<Operation, 'role' | 'stepUp'>,
    keyName: string | undefined,
  ): void {
    if (operation.role === 'secret-key')
      throw new OperatorsError('forbidden', 'No operator may do this: it needs the secret key')
    if (operation.role !== 'anyone' && !reaches(role, operation.role)) {
      const { roleNames = OWN_NAMES } = this.#options
      throw new OperatorsError(
        'forbidden',
        `This needs the role ${roleNames[operation.role]}, and yours is ${roleNames[role]}`,
      )
    }
    if (!operation.stepUp) return
    if (keyName !== undefined)
      throw new OperatorsError('forbidden', 'No API key may do this: sign in to the console')
    if (this.#options.clock.now() - enteredAt > FRESH_MS)
      throw new OperatorsError(
        'step_up_needed',
        'Confirm that it is you: enter a second factor, or your password where you have none, and ask again',
      )
  }
}

const OWN_NAMES: Readonly<Record<Role, string>> = { owner: 'owner', editor: 'editor', viewer: 'viewer' }

const unauthorized = () =>
  new OperatorsError(
    'unauthorized',
    'The secret key is needed (see heyline keys), an API key, or an operator who is signed in',
  )
