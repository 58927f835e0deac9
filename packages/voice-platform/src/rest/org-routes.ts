import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { ORG_ROLES, type OrgActor, type OrgPeople } from '../orgs/org-people.js'
import type { OrgStore } from '../orgs/org-store.js'
import type { OrgTokens } from '../orgs/org-token.js'
import { ApiError, type ErrorStatus } from '../resources/api-error.js'
import type { Doorkeeper } from './access.js'
import { parse, parseBody, resourceId } from './parse-request.js'

export interface OrgRoutes {
  orgs: OrgStore
  orgTokens: OrgTokens
  /** Undefined: nobody is seen or changed through this API. */
  people?: OrgPeople | undefined
  doorkeeper: Doorkeeper
}

const role = z.enum(ORG_ROLES)
const changes = z.strictObject({
  name: z.string().trim().min(1).max(40).optional(),
  ...Object.fromEntries(
    [
      'hipaaEnabled',
      'subscriptionId',
      'channel',
      'billingLimit',
      'server',
      'concurrencyLimit',
      'compliancePlan',
    ].map((name) => [name, z.unknown().optional()]),
  ),
})
const invitation = z.strictObject({
  emails: z.array(z.email().max(320)).min(1).max(100),
  role,
  redirectTo: z.string().max(1_000).optional(),
})
const newRole = z.strictObject({ userId: z.uuid(), role })
const memberId = z.strictObject({ memberId: z.uuid() })
const ONE_ORG = 'one installation is one organisation, so it needs another installation'

/** The installation as an organisation, and its operators as the members. */
export function serveOrgs(app: Hono, { orgs, orgTokens, people, doorkeeper }: OrgRoutes): void {
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  const admitted = async (context: Context) => {
    await admit(context)
    const id = resourceId(context).toLowerCase()
    const org = await orgs.get()
    if (org.id !== id) throw new ApiError(404, `Organisation ${id} does not exist.`)
    return org
  }
  /** A token may be somebody's who is to call, and not to say who else is in. */
  const withPeople = async (context: Context): Promise<{ people: OrgPeople; actor: OrgActor }> => {
    const { member, isToken } = await admit(context)
    if (isToken)
      throw new ApiError(403, 'A token reaches no members: use the private key, or your own access token.')
    if (!people)
      throw ApiError.notServed(
        'The members of the organisation are not served by this installation’s platform API: it needs PLATFORM_OPERATORS=on.',
      )
    await admitted(context)
    return { people, actor: member ?? { name: 'platform private key' } }
  }

  app.on(['POST'], '/org', async (context) => {
    await admit(context)
    throw ApiError.notServed(`POST /org is not served by the built-in voice platform: ${ONE_ORG}.`)
  })
  app.delete('/org/:id', async (context) => {
    await admit(context)
    throw ApiError.notServed(`DELETE /org/{id} is not served by the built-in voice platform: ${ONE_ORG}.`)
  })
  app.get('/org', async (context) => {
    await admit(context)
    return context.json([await orgs.get()])
  })
  app.get('/org/:id', async (context) => context.json(await admitted(context)))
  app.patch('/org/:id', async (context) => {
    await admitted(context)
    const { name, ...others } = await parseBody(context.req.raw, changes)
    const [unserved] = Object.keys(others)
    if (unserved !== undefined)
      throw ApiError.notServed(
        `${unserved} of an organisation is not served by the built-in voice platform: what holds for the whole installation needs its settings.`,
      )
    return context.json(await orgs.rename(name))
  })
  app.get('/org/:id/auth', async (context) => context.json(orgTokens.make((await admitted(context)).id)))

  app.get('/org/:id/user', async (context) => {
    const { people } = await withPeople(context)
    return context.json(await people.list())
  })
  app.post('/org/:id/invite', async (context) => {
    const { people, actor } = await withPeople(context)
    const { emails, role, redirectTo } = await parseBody(context.req.raw, invitation)
    if (redirectTo !== undefined)
      throw ApiError.notServed(
        'redirectTo is not served: an invitation leads to the console of this installation.',
      )
    await inviteAll(new Set(emails.map((email) => email.toLowerCase())), async (email) => {
      // The mails before it may have taken long.
      await doorkeeper.checkAfterWait(context.req.raw)
      return await people.invite(actor, context.req.raw, email, role)
    })
    return context.body(null, 201)
  })
  app.patch('/org/:id/role', async (context) => {
    const { people, actor } = await withPeople(context)
    const { userId, role } = await parseBody(context.req.raw, newRole)
    await people.setRole(actor, context.req.raw, userId, role)
    return context.body(null, 200)
  })
  app.delete('/org/:id/leave', async (context) => {
    const { people, actor } = await withPeople(context)
    if (actor.userId === undefined)
      throw new ApiError(
        400,
        'The private key is no member: name one, with /org/{id}/member/{memberId}/leave.',
      )
    await people.remove(actor, context.req.raw, actor.userId)
    return context.body(null, 200)
  })
  app.delete('/org/:id/member/:memberId/leave', async (context) => {
    const { people, actor } = await withPeople(context)
    const asked = parse({ memberId: context.req.param('memberId') }, memberId)
    await people.remove(actor, context.req.raw, asked.memberId)
    return context.body(null, 200)
  })
}

/** All of them, one after another. Rejects with an `ApiError` that names those who were not invited, or got no mail; the others are, and did. */
async function inviteAll(
  emails: ReadonlySet<string>,
  invite: (email: string) => Promise<{ unsent?: string }>,
): Promise<void> {
  const failures: { status: ErrorStatus; text: string }[] = []
  for (const email of emails)
    try {
      const { unsent } = await invite(email)
      if (unsent !== undefined)
        failures.push({ status: 503, text: `${email} is invited, but got no mail: ${unsent}` })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push({ status: error.status, text: `${email} is not invited: ${error.message}` })
    }
  const [first] = failures
  if (!first) return
  throw new ApiError(
    first.status,
    failures.map(({ text }) => text),
  )
}
