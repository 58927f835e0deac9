import {
  API_KEY_PREFIX,
  OfficeAccess,
  type OfficeAccessOptions,
  type OperatorOffice,
  OperatorsError,
  type Role,
  refusalOf,
  sessionCookie,
} from '@heyline/back-office'
import { systemClock } from '@heyline/kit/clock'
import { ApiError, type OrgActor, type OrgPeople, type OrgRole } from '@heyline/voice-platform'
import type { Settings } from '../settings/settings.js'
import type { OperatorsEnd } from './operators-end.js'

const ROLES: Readonly<Record<OrgRole, Role>> = { admin: 'owner', editor: 'editor', viewer: 'viewer' }
const ORG_ROLES: Readonly<Record<Role, OrgRole>> = { owner: 'admin', editor: 'editor', viewer: 'viewer' }

export interface OrgPeopleOptions extends Pick<OfficeAccessOptions, 'secretKey' | 'addressOf'> {
  settings: Pick<Settings, 'platform' | 'platformOperators'>
  publicUrl: string
  /** Undefined while they are not open, and where there are none. */
  find: () => OperatorsEnd | undefined
  /** Invitations reach somebody. */
  hasMail: boolean
}

/**
 * The operators as the members of the built-in platform's organisation: their API keys and access tokens are bearers there. Undefined where
 * that is off.
 */
export function orgPeople({
  settings,
  publicUrl,
  find,
  hasMail,
  ...options
}: OrgPeopleOptions): OrgPeople | undefined {
  if (!settings.platformOperators || settings.platform) return undefined
  const { addressOf } = options
  const access = {
    ...{ ...options, cookie: sessionCookie(publicUrl), origins: [], clock: systemClock },
    roleNames: ORG_ROLES,
  }
  const demanded = (): OperatorsEnd => {
    const found = find()
    if (found) return found
    throw new ApiError(503, 'The operators cannot be asked now. Try again in a moment.')
  }
  const officeOf = (actor: OrgActor, request: Request): OperatorOffice =>
    demanded().operators.as({ name: actor.name, address: addressOf(request) })
  const emailOf = async (office: OperatorOffice, userId: string): Promise<string> => {
    const found = (await office.list()).find((one) => one.userId.toLowerCase() === userId.toLowerCase())
    if (!found) throw new ApiError(404, `Member ${userId} does not exist.`)
    return found.email
  }
  return {
    mayBeMember: (bearer) => bearer.startsWith(API_KEY_PREFIX) || bearer.split('.').length === 3,
    enter: (request, { role, stepUp }) =>
      told(async () => {
        const { doors, access: tokens } = demanded()
        const office = new OfficeAccess({ ...access, operators: { ...doors, access: tokens } })
        const needed = { role: ROLES[role], ...(stepUp && { stepUp: true as const }) }
        const { actor, operator } = await office.enter(request, needed, () => undefined)
        if (!operator) throw new ApiError(401, 'Invalid Key. This is no key of the voice platform.')
        return { name: actor.name, userId: operator.userId, role: ORG_ROLES[operator.role] }
      }),
    list: () =>
      told(async () => {
        const lines = await demanded().operators.as({ name: 'voice platform' }).list()
        return lines.map(({ userId, email, role, invitedAt, joinedAt, lastSeenAt }) => ({
          ...{ id: userId, email, role: ORG_ROLES[role], createdAt: invitedAt },
          updatedAt: lastSeenAt ?? joinedAt ?? invitedAt,
        }))
      }),
    invite: (actor, request, email, role) =>
      told(async () => {
        if (!hasMail)
          throw ApiError.notServed(
            'An invitation is not served without a mail server: set SMTP_URL, or use heyline operators invite, which prints the link.',
          )
        const { mail, mailFailure } = await officeOf(actor, request).invite({ email, role: ROLES[role] })
        if (mail === 'sent') return {}
        return {
          unsent: `it was not sent (${mailFailure ?? mail}). The invitation stands: invite them again, which sends a new link, or hand out the one that heyline operators invite prints.`,
        }
      }),
    setRole: (actor, request, userId, role) =>
      told(async () => {
        const office = officeOf(actor, request)
        await office.setRole({ email: await emailOf(office, userId), role: ROLES[role] })
      }),
    remove: (actor, request, userId) =>
      told(async () => {
        const office = officeOf(actor, request)
        await office.remove(await emailOf(office, userId))
      }),
  }
}

const STATUSES = [400, 401, 403, 404, 429, 503] as const

/** Says the operators' refusals as the platform does. */
async function told<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OperatorsError)) throw error
    const refusal = refusalOf(error)
    const status =
      STATUSES.find((one) => one === refusal?.status) ?? ((refusal?.status ?? 500) < 500 ? 400 : 503)
    throw new ApiError(status, error.message, { cause: error, retryAfterSeconds: error.waitSeconds })
  }
}
