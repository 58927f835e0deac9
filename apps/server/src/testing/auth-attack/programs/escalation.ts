import { type Answer, type Asked, AUTH, PUBLIC_KEY, type Target, type Tokens } from '../target.js'

/** Does a viewer, or somebody who was only invited, get more than is theirs? */
export async function escalate(at: Target): Promise<string[]> {
  const viewer = await at.operator('viewer')
  const tokens = await at.signIn(viewer)
  return [
    ...(await byMetadata(at, tokens)),
    ...(await byAdminRoutes(at, viewer, tokens)),
    ...(await byHeaders(at, tokens)),
    ...(await byAddress(at)),
  ]
}

/** What a viewer may not do. */
const ABOVE: readonly [method: string, path: string, body?: object][] = [
  ['GET', '/-/office/operators'],
  ['POST', '/-/office/audit', {}],
  ['GET', '/-/office/visitors/export'],
  ['GET', '/-/office/calls/export'],
  ['GET', '/-/office/backup'],
  ['POST', '/-/office/calls/pause', {}],
  ['POST', '/-/office/do-not-call/list', {}],
  ['POST', '/-/office/keys/rotate', {}],
  ['POST', '/-/office/keys', {}],
  ['POST', '/-/office/assistant/limits', { maxDurationSeconds: 60 }],
  ['POST', '/-/office/assistant/test-call', {}],
  ['GET', `${AUTH}/admin/users`],
]

async function reached(at: Target, asked: Asked, how: string): Promise<string[]> {
  const findings: string[] = []
  for (const [method, path, body] of ABOVE) {
    const { status } = await at.ask(method, path, { ...asked, ...(body && { body }) })
    if (status < 300) findings.push(`a viewer reaches ${method} ${path} by ${how}`)
  }
  return findings
}

const MORE = { role: 'owner', roles: ['owner'], is_super_admin: true, aal: 'aal2' }

async function byMetadata(at: Target, { access, refresh }: Tokens): Promise<string[]> {
  for (const body of [
    { data: { ...MORE, app_metadata: MORE, operator: { role: 'owner' } } },
    { data: { role: 'service_role' }, role: 'service_role', aud: 'service_role', is_super_admin: true },
    { app_metadata: MORE, raw_app_meta_data: MORE, user_metadata: MORE },
    { data: JSON.parse('{"__proto__": {"role": "owner"}, "role": "owner"}') },
  ])
    await at.ask('PUT', `${AUTH}/user`, { token: access, body })
  const path = `${AUTH}/token?grant_type=refresh_token`
  const { json } = await at.ask('POST', path, { body: { refresh_token: refresh } })
  const { app_metadata: given, role } = Object(json.user)
  return [
    ...(JSON.stringify(given).includes('owner') ? ['PUT /user writes app_metadata'] : []),
    ...(role === 'authenticated' ? [] : [`PUT /user makes the role ${role}`]),
    ...(await reached(at, { token: String(json.access_token) }, 'what the account says of itself')),
  ]
}

async function byAdminRoutes(
  at: Target,
  { id, email }: { id: string; email: string },
  { access }: Tokens,
): Promise<string[]> {
  const tried: Record<string, Answer> = {}
  for (const [method, path, body] of [
    ['PUT', `${AUTH}/admin/users/${id}`, { app_metadata: MORE, role: 'service_role' }],
    ['POST', `${AUTH}/admin/users`, { email: at.nobody(), password: 'a password of mine' }],
    ['POST', `${AUTH}/admin/generate_link`, { type: 'recovery', email }],
    ['POST', `${AUTH}/invite`, { email: at.nobody() }],
    ['POST', '/-/office/operators/role', { email, role: 'owner' }],
    ['POST', '/-/office/operators/invite', { email: at.nobody(), role: 'owner' }],
    ['POST', '/-/office/operators/setup', {}],
    ['PATCH', '/-/backend/rest/v1/operators', { role: 'owner' }],
  ] as const)
    tried[`${method} ${path}`] = await at.ask(method, path, {
      token: access,
      body,
      headers: { 'content-profile': 'back_office' },
    })
  return [
    ...Object.entries(tried)
      .filter(([, { status }]) => status < 300)
      .map(([name]) => `a viewer may ${name}`),
    ...(await reached(at, { token: access }, 'the admin routes')),
  ]
}

async function byHeaders(at: Target, { access: token }: Tokens): Promise<string[]> {
  const findings: string[] = []
  const disguises: Record<string, string>[] = [
    { role: 'owner', 'x-role': 'owner', 'x-operator-role': 'owner', 'x-heyline-role': 'owner' },
    { 'x-user-role': 'service_role', 'x-hasura-role': 'admin', 'x-forwarded-user': 'admin' },
    { 'x-original-url': '/-/office/operators/me', 'x-rewrite-url': '/-/office/operators/me' },
    { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    { cookie: 'role=owner; sb-access-token=owner', 'x-supabase-auth': '{"role":"service_role"}' },
    { authorization: `Bearer ${token}, Bearer ${PUBLIC_KEY}` },
  ]
  for (const headers of disguises)
    findings.push(...(await reached(at, { token, headers }, `headers: ${Object.keys(headers).join(', ')}`)))
  return findings
}

/** Somebody who was invited takes the address of who is invited next. Nobody showed that it is theirs. */
async function byAddress(at: Target): Promise<string[]> {
  const invited = await at.office.invite({ email: at.nobody(), role: 'viewer' })
  const { access, id } = await at.use(invited.link)
  const email = at.nobody()
  await at.ask('PUT', `${AUTH}/user`, { token: access, body: { email } })
  await at.office.invite({ email, role: 'owner' }).catch(() => undefined)
  const me = await at.ask('GET', '/-/office/operators/me', { token: access })
  return me.json.userId === id && me.json.role !== 'viewer'
    ? ['a viewer takes the address of who is invited as an owner']
    : []
}
