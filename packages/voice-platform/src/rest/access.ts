import { isDeepStrictEqual } from 'node:util'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { FairLine, type Place, SOMEWHERE } from '@heyline/kit/fair-line'
import { isSameSecret } from '@heyline/kit/secret'
import { type Leave, NoTurnError } from '@heyline/kit/waiting-line'
import type { TokenRestrictions } from '@heyline/platform-client'
import type { AssistantRequest } from '../calls/call-request.js'
import type { OrgActor, OrgPeople } from '../orgs/org-people.js'
import type { OrgTokens } from '../orgs/org-token.js'
import { ApiError } from '../resources/api-error.js'
import type { TokenRights } from '../tokens/token-rights.js'
import type { TokenStore } from '../tokens/token-store.js'
import { pathInApi } from './api-path.js'
import { checkOnceRead } from './bounded-body.js'
import { checkedParts } from './checked-parts.js'
import { LaterCheck } from './later-check.js'
import { MemberTurns } from './member-turns.js'
import { needOf } from './role-table.js'

/** The two keys of the installation. The public one is in the page, where everybody can read it. */
export interface PlatformKeys {
  public: string
  private: string
}

export type Access = 'public' | 'private'

/** What a request may do. The private key and private tokens may do everything; the others only start web calls. */
export interface Grant {
  access: Access
  /** The installation's public key, or what stands for it, and no token. */
  isPublicKey?: boolean
  /** A private token, and not the private key. */
  isToken?: boolean
  /** A member of the organisation: the role was checked for this very request. */
  member?: OrgActor
  /** Of a public token. */
  restrictions?: TokenRestrictions
}

/** Whose turns a request takes: a member's, or those of the private key and private tokens. */
export const askerOf = ({ member }: Grant): string => member?.userId ?? member?.name ?? 'private key'

/** A token of ours (`newSecret`). Others are not looked up. */
const TOKEN = /^[\w-]{43}$/
/**
 * Tokens are looked up one by one, so that somebody who makes them up keeps nobody from the database, and of each network in turn, so that
 * he keeps nobody from the line. All that the server takes of an address or a network may wait.
 */
const LOOK_UPS = {
  atOnce: 1,
  waiting: { ofAddress: 100, ofNetwork: 500, networks: 1_000 },
  longestMs: 3_000,
}
const RETRY_AFTER_SECONDS = 5
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Beside keys and tokens. */
export interface OtherBearers {
  orgTokens?: OrgTokens
  people?: OrgPeople | undefined
}

/** Finds out what a request may do, by the installation's keys first, then by the stored tokens. */
export class Doorkeeper {
  readonly #keys: PlatformKeys
  readonly #tokens: TokenStore
  readonly #placeOf: (request: Request) => Place
  readonly #others: OtherBearers
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #line = new FairLine(LOOK_UPS)
  readonly #private = new WeakSet<Request>()
  readonly #belowAdmin = new WeakSet<Request>()
  readonly #turns: MemberTurns
  readonly #members = new WeakMap<Request, string>()
  readonly #checks = new WeakMap<Request, LaterCheck>()
  readonly #leaves = new WeakMap<Request, Leave>()

  /** @param placeOf Where a request comes from. All seem to come from one place where it is left out. */
  constructor(
    keys: PlatformKeys,
    tokens: TokenStore,
    placeOf: (request: Request) => Place = () => SOMEWHERE,
    others: OtherBearers = {},
    clock: Pick<Clock, 'monotonic'> = systemClock,
    turns = new MemberTurns('pglite'),
  ) {
    this.#keys = keys
    this.#tokens = tokens
    this.#placeOf = placeOf
    this.#others = others
    this.#clock = clock
    this.#turns = turns
  }

  /** A member who reads waits here for the turn. Who asks is asked again once the request's body is read. Rejects with an `ApiError`: 403 when a member's role does not reach, 429 when a member asks for too much at once, 401 when the request has no key or token for at least this access, 503 when too many tokens are looked up. */
  async admit(request: Request, least: Access): Promise<Grant> {
    const grant = await this.#admitted(request, least)
    const ask = async () => refuseChanged(grant, await this.#admitted(request, least))
    const check = new LaterCheck(ask, this.#clock)
    this.#checks.set(request, check)
    checkOnceRead(request, () => check.now())
    if (grant.access === 'private') this.#private.add(request)
    if (grant.member) await this.#noticeMember(request, grant.member)
    return grant
  }

  /** Asks again who sends a request that was admitted, where it has waited meanwhile. Rejects as `admit` would now, and with an `ApiError` 403 where it may do something else by now. */
  async checkAfterWait(request: Request): Promise<void> {
    await this.#checks.get(request)?.afterWait()
  }

  /** Where the request comes from. */
  placeOf(request: Request): Place {
    return this.#placeOf(request)
  }

  /** Whether this request was admitted with the private key or a private token. */
  isPrivate(request: Request): boolean {
    return this.#private.has(request)
  }

  /** Whether this request was admitted as one of a member who is no admin. */
  isBelowAdmin(request: Request): boolean {
    return this.#belowAdmin.has(request)
  }

  /** Not members below admin: they read no secrets of servers. */
  seesSecrets(request: Request): boolean {
    return !this.isBelowAdmin(request)
  }

  /** A member's request waits here until others of members are answered; what changes something asks for it once its body is read. Rejects with an `ApiError`: 429, or as `checkAfterWait`. */
  async takeTurn(request: Request): Promise<void> {
    const member = this.#members.get(request)
    if (member === undefined || this.#leaves.has(request)) return
    this.#leaves.set(request, await this.#turns.enter(member, request.signal))
    await this.checkAfterWait(request)
  }

  /** Once its answer is there. */
  endTurn(request: Request): void {
    this.#leaves.get(request)?.()
  }

  /** Parts of an answer that is written while it is read; those of a member's are made in turns, and no more of them once whoever asked may not read, or may do something else by now. */
  inTurns<Part>(request: Request, parts: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
    const member = this.#members.get(request)
    const check = this.#checks.get(request)
    const taken = member === undefined ? parts : this.#turns.inTurns(member, parts)
    return check ? checkedParts(taken, () => check.now(), this.#clock) : taken
  }

  /** A turn of a member's to export, at once, with what ends it; undefined where there is none. Others need none. */
  tryExport(request: Request): Leave | undefined {
    const member = this.#members.get(request)
    return member === undefined ? () => undefined : this.#turns.tryExport(member)
  }

  async #noticeMember(request: Request, { userId, name, role }: OrgActor): Promise<void> {
    if (role !== 'admin') this.#belowAdmin.add(request)
    this.#members.set(request, userId ?? name)
    if (READS.has(request.method)) await this.takeTurn(request)
  }

  async #admitted(request: Request, least: Access): Promise<Grant> {
    const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? ''
    const grant = await this.#grantOf(token, request)
    if (grant?.access === 'private' || (grant && least === 'public')) return grant
    throw new ApiError(
      401,
      'Invalid Key. Hot tip, you may be using the private key instead of the public key, or vice versa.',
    )
  }

  async #grantOf(token: string, request: Request): Promise<Grant | undefined> {
    if (isSameSecret(token, this.#keys.private)) return { access: 'private' }
    if (isSameSecret(token, this.#keys.public)) return { access: 'public', isPublicKey: true }
    if (this.#others.orgTokens?.isGood(token)) return { access: 'public', isPublicKey: true }
    const { people } = this.#others
    if (people?.mayBeMember(token)) return { access: 'private', member: await enter(people, request) }
    if (!TOKEN.test(token)) return undefined
    const rights = this.#tokens.rememberedRightsOf(token) ?? (await this.#lookUp(token, request))
    if (!rights || rights.restrictions?.enabled === false) return undefined
    const { tag, restrictions } = rights
    if (tag === 'private') return { access: tag, isToken: true }
    return { access: tag, ...(restrictions && { restrictions }) }
  }

  async #lookUp(token: string, request: Request): Promise<TokenRights | undefined> {
    // Whoever has cut his connection meanwhile has no look-up of his made.
    const lookUp = async () => (request.signal.aborted ? undefined : await this.#tokens.rightsOf(token))
    return await this.#line.run(this.#placeOf(request), lookUp).catch(refuseCrowd)
  }
}

/** What a request does follows what it was granted first: one that is granted less by now, or is restricted otherwise, is refused. */
function refuseChanged(before: Grant, now: Grant): void {
  const { member, access, restrictions } = now
  if (before.member?.role === 'admin' && member?.role !== 'admin')
    throw new ApiError(403, 'Your role has changed meanwhile: ask again.')
  if (access !== before.access || !isDeepStrictEqual(restrictions, before.restrictions))
    throw new ApiError(403, 'What your token may do has changed meanwhile: ask again.')
}

/** Whoever asks, as far as the table of roles lets them. */
async function enter(people: OrgPeople, request: Request): Promise<OrgActor> {
  const need = needOf(request.method, pathInApi(new URL(request.url).pathname))
  if (need) return await people.enter(request, need)
  throw new ApiError(403, 'No operator may do this here: it needs the private key.')
}

function refuseCrowd(error: unknown): never {
  if (!(error instanceof NoTurnError)) throw error
  throw new ApiError(503, 'Too many tokens are looked up. Try again in a moment.', {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/**
 * Throws an `ApiError` 403 for a web call that the public key or this public token may not start. A request without an `Origin` comes
 * from no page, so it is refused where origins are listed.
 */
export function refuseRestricted(
  { isPublicKey, restrictions = {} }: Grant,
  request: Request,
  { assistant, assistantId }: AssistantRequest,
): void {
  const { allowedOrigins, allowedAssistantIds, allowTransientAssistant = false } = restrictions
  const origin = request.headers.get('origin')
  if (allowedOrigins && !allowedOrigins.some((allowed) => new URL(allowed).origin === origin))
    throw new ApiError(403, 'This token may not be used from this origin.')
  if (assistant && !allowTransientAssistant)
    throw new ApiError(
      403,
      `${isPublicKey ? 'The public key' : 'This token'} may not start calls with an assistant of the request’s own: store the assistant, and send its assistantId.`,
    )
  if (assistantId !== undefined && allowedAssistantIds && !isAmong(assistantId, allowedAssistantIds))
    throw new ApiError(403, `This token may not start calls with the assistant ${assistantId}.`)
}

/** UUIDs are the same in upper and lower case. */
const isAmong = (id: string, ids: readonly string[]): boolean =>
  ids.some((allowed) => allowed.toLowerCase() === id.toLowerCase())
