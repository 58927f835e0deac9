import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { listen, shut, textOf } from './local-server.js'

/** What goes wrong with the next answers. */
export type NangoFault = 'too-many' | 'silent' | 'junk' | 'broken'

type Answer = (status: number, body: unknown) => unknown

interface Session {
  orgId: string
  integration: string
}

const sessionBody = z.strictObject({
  end_user: z.strictObject({ id: z.string().min(1).max(255), email: z.email().optional() }),
  organization: z.strictObject({ id: z.string().max(255) }).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  allowed_integrations: z.array(z.string()).optional(),
})
const actionBody = z.object({ action_name: z.string().min(1).max(255), input: z.unknown() })

const failure = (code: string, rest: object) => ({ error: { code, ...rest } })

/**
 * Nango as its clients see it: connect sessions, connections, actions, and the webhooks that it signs
 * (https://nango.dev/docs/reference/backend/http-api/connect/sessions/create).
 */
export class NangoStandIn {
  readonly apiKey = 'nango-api-key'
  /** What webhooks are signed with: new environments have a key of its own for it. */
  readonly webhookKey = 'nango-signing-key'
  /** The integrations that are set up, and the actions of all of them. */
  readonly integrations = new Set<string>()
  readonly actions = new Set<string>()
  /** What was done: connection, integration, action and input. */
  readonly done: { connectionId: string; integration: string; action: string; input: unknown }[] = []
  fault: NangoFault | undefined
  /** It is of a version before tags. */
  isOld = false
  /** Where it listens. */
  url = ''
  readonly #sessions = new Map<string, Session>()
  readonly #connections = new Map<string, Session>()
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })

  async start(): Promise<this> {
    this.url = await listen(this.#server)
    return this
  }

  async close(): Promise<void> {
    await shut(this.#server)
  }

  /** The token of a dialogue. */
  open(session: Session): string {
    const token = `nango_connect_session_${randomUUID().replaceAll('-', '')}`
    this.#sessions.set(token, session)
    return token
  }

  /** A user consents in the dialogue that the token opens. Answers the id of the connection, and the body of the webhook that tells of it. */
  consent(token: string): { connectionId: string; webhook: Record<string, unknown> } {
    const session = this.#sessions.get(token)
    if (!session) throw new Error(`Nobody asked for a session with the token ${token}.`)
    const connectionId = randomUUID()
    this.#connections.set(connectionId, session)
    const { orgId, integration } = session
    const webhook = {
      ...{ from: 'nango', type: 'auth', operation: 'creation', success: true, connectionId },
      ...{ authMode: 'OAUTH2', providerConfigKey: integration, provider: 'slack', environment: 'prod' },
      ...(this.isOld
        ? { endUser: { endUserId: orgId, organizationId: orgId } }
        : { tags: { end_user_id: orgId, organization_id: orgId } }),
    }
    return { connectionId, webhook }
  }

  /** A webhook with both signatures that Nango sends. */
  delivery(webhook: unknown, key = this.webhookKey): RequestInit & { headers: Record<string, string> } {
    const body = typeof webhook === 'string' ? webhook : JSON.stringify(webhook)
    return {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-nango-hmac-sha256': createHmac('sha256', key).update(body).digest('hex'),
        'x-nango-signature': createHash('sha256').update(`${key}${body}`).digest('hex'),
      },
      body,
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request)
    const answer: Answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (this.fault === 'silent') return
    if (this.fault === 'junk') return void response.writeHead(200).end('<p>')
    if (this.fault === 'broken') return void answer(500, failure('server_error', { message: 'no' }))
    if (this.fault === 'too-many') return void answer(429, failure('too_many_request', {}))
    if (request.headers.authorization !== `Bearer ${this.apiKey}`)
      return void answer(401, failure('unknown_api_key', { message: 'Authentication failed.' }))
    const asked = `${request.method} ${request.url}`
    if (asked === 'POST /connect/sessions') return void this.#session(JSON.parse(text), answer)
    const { pathname, searchParams } = new URL(asked.slice(asked.indexOf('/')), this.url)
    if (request.method === 'GET' && pathname === (this.isOld ? '/connection' : '/connections'))
      return void this.#list(searchParams.get('connectionId') ?? '', answer)
    if (asked === 'POST /action/trigger') return void this.#act(request, JSON.parse(text), answer)
    answer(404, failure('not_found', { message: `${asked} endpoint does not exist` }))
  }

  #session(body: unknown, answer: Answer): unknown {
    const invalid = (path: (string | number)[], message: string) =>
      answer(400, failure('invalid_body', { errors: [{ code: 'custom', message, path }] }))
    const { data, error } = sessionBody.safeParse(body)
    if (!data) return invalid([], error.issues[0]?.message ?? '')
    if (this.isOld && data.tags) return invalid([], "Unrecognized key(s) in object: 'tags'")
    const [integration = ''] = data.allowed_integrations ?? []
    if (!this.integrations.has(integration))
      return invalid(['allowed_integrations', 0], 'Integration does not exist')
    const orgId = data.tags?.organization_id ?? data.organization?.id ?? ''
    const token = this.open({ orgId, integration })
    const expires_at = new Date(Date.now() + 30 * 60_000).toISOString()
    return answer(201, { data: { token, connect_link: `${this.url}/?session_token=${token}`, expires_at } })
  }

  #list(connectionId: string, answer: Answer): unknown {
    const session = this.#connections.get(connectionId)
    if (!session) return answer(200, { connections: [] })
    const { orgId, integration } = session
    const found = { connection_id: connectionId, provider_config_key: integration, provider: 'slack' }
    const end_user = { id: orgId, organization: { id: orgId, display_name: null } }
    const whose = this.isOld ? { end_user } : { tags: { organization_id: orgId }, end_user: null }
    return answer(200, { connections: [{ id: 1, ...found, ...whose, errors: [], metadata: null }] })
  }

  #act({ headers }: IncomingMessage, body: unknown, answer: Answer): unknown {
    const connectionId = String(headers['connection-id'])
    const integration = String(headers['provider-config-key'])
    const { action_name: action, input } = actionBody.parse(body)
    if (this.#connections.get(connectionId)?.integration !== integration)
      return answer(400, failure('unknown_connection', { message: 'Failed to find connection' }))
    if (!this.actions.has(action)) return answer(404, failure('not_found', { message: 'Action not found' }))
    this.done.push({ connectionId, integration, action, input })
    return answer(200, { id: 'event-1' })
  }
}
