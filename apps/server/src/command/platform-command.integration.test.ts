import { createHmac } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { testDirectory } from '../testing/heyline-command.js'
import { type HostedPlatformStandIn, PRIVATE_KEY, startHostedPlatform } from '../testing/hosted-platform.js'
import { readServerKeys } from '../testing/server-keys.js'
import { type SetupOptions, setUpPlatform } from './platform-command.js'

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
afterAll(remove)

let platform: HostedPlatformStandIn
beforeEach(async () => {
  platform = await startHostedPlatform()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await platform[Symbol.asyncDispose]()
})

const SECRET = 'a-hook-secret-of-24-characters-and-more'
const HOOKS = 'https://demo.example.com/-/hooks/platform'

/** Runs the command; resolves with what it printed. */
async function setup(
  environment: Record<string, string> = {},
  options: SetupOptions = {},
  patienceMs?: number,
): Promise<string> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const settings = readSettings({
    DATA_DIR: data,
    PUBLIC_URL: 'https://demo.example.com',
    PLATFORM_URL: platform.url,
    PLATFORM_PUBLIC_KEY: 'public-key',
    PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
    PLATFORM_ASSISTANT_ID: 'assistant-1',
    PLATFORM_HOOK_SECRET: SECRET,
    ...environment,
  })
  await setUpPlatform(settings, options, patienceMs)
  const said = printed.mock.calls.flat().join('\n')
  printed.mockRestore()
  return said
}

/** Signs as the platform does with a credential's plan. */
function signed(plan: Record<string, unknown>, body: string) {
  const [id, timestamp] = ['message-1', String(Math.floor(Date.now() / 1000))]
  const text = String(plan.payloadFormat)
    .replace('{svix-id}', id)
    .replace('{timestamp}', timestamp)
    .replace('{body}', body)
  const key = Buffer.from(String(plan.secretKey), plan.secretIsBase64 ? 'base64' : 'utf8')
  const signature = createHmac(String(plan.algorithm), key).update(text)
  return {
    [String(plan.messageIdHeader)]: id,
    [String(plan.timestampHeader)]: timestamp,
    [String(plan.signatureHeader)]:
      `${plan.signaturePrefix}${signature.digest(plan.signatureEncoding === 'hex' ? 'hex' : 'base64')}`,
  }
}

it('has the assistant send us its messages, signed as Standard Webhooks are', async () => {
  const said = await setup()
  expect(said).toContain('The credential credential-1 was created')
  expect(said).toContain(`The assistant assistant-1 was changed: it sends its messages to ${HOOKS}`)
  expect(said).toMatch(/heyline calls tail/)
  expect(platform.assistants.get('assistant-1')).toEqual({
    id: 'assistant-1',
    server: {
      url: HOOKS,
      timeoutSeconds: 20,
      credentialId: 'credential-1',
      backoffPlan: { type: 'exponential', maxRetries: 10, baseDelaySeconds: 1 },
    },
    serverMessages: ['status-update', 'end-of-call-report', 'transcript[transcriptType="final"]'],
  })
  const { provider, name, authenticationPlan } = platform.credentials.get('credential-1') ?? {}
  expect([provider, String(name).length <= 40]).toEqual(['webhook', true])
  const body = '{"message":{"type":"status-update"}}'
  const key = Buffer.from(SECRET).toString('base64')
  expect(new Webhook(key).verify(body, signed(Object(authenticationPlan), body))).toEqual(JSON.parse(body))
})

it('signs with what stands behind whsec_ of a secret that was made for it', async () => {
  await setup({ PLATFORM_HOOK_SECRET: '' })
  const { hookSecret } = readServerKeys(data)
  const { authenticationPlan } = platform.credentials.get('credential-1') ?? {}
  const body = '{}'
  expect(new Webhook(hookSecret).verify(body, signed(Object(authenticationPlan), body))).toEqual({})
})

it('changes nothing the second time, and says so', async () => {
  await setup()
  const server = Object(platform.assistants.get('assistant-1')?.server)
  // What the platform adds by itself.
  Object.assign(server, { staticIpAddressesEnabled: false })
  Object.assign(server.backoffPlan, { excludedStatusCodes: [] })
  platform.changes.length = 0
  expect(await setup()).toMatch(/Nothing was to be changed/)
  expect(JSON.parse(await setup({}, { json: true }))).toEqual({
    credential: 'unchanged',
    credentialId: 'credential-1',
    assistant: 'unchanged',
    assistantId: 'assistant-1',
    url: HOOKS,
    dryRun: false,
  })
  expect(platform.changes).toEqual([])
})

it('mends what is otherwise, and leaves what belongs to others', async () => {
  await setup()
  const other = { id: 'other', provider: 'webhook', name: 'heyline of somebody else' }
  platform.credentials.set('other', { ...other })
  Object.assign(Object(platform.assistants.get('assistant-1')?.server), {
    timeoutSeconds: 5,
    headers: { 'x-own': '1' },
  })
  platform.changes.length = 0
  await setup({ PLATFORM_HOOK_SECRET: `${SECRET}-new` })
  expect(platform.changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PATCH /credential/credential-1',
    'PATCH /assistant/assistant-1',
  ])
  expect(platform.assistants.get('assistant-1')?.server).toMatchObject({
    timeoutSeconds: 20,
    headers: { 'x-own': '1' },
  })
  expect(platform.credentials.get('other')).toEqual(other)

  Object.assign(Object(platform.credentials.get('credential-1')?.authenticationPlan), { algorithm: 'sha1' })
  expect(await setup({ PLATFORM_HOOK_SECRET: `${SECRET}-new` })).toMatch(/credential-1 was updated/)
  expect(platform.credentials.get('credential-1')?.authenticationPlan).toMatchObject({ algorithm: 'sha256' })
})

it('takes nothing along from the server that the assistant had', async () => {
  const before = {
    url: 'https://old.example.com',
    headers: { authorization: 'of the old one' },
    secret: 'old',
  }
  platform.assistants.set('assistant-1', { id: 'assistant-1', server: before })
  await setup()
  expect(platform.assistants.get('assistant-1')?.server).not.toHaveProperty('headers')
  expect(platform.assistants.get('assistant-1')?.server).not.toHaveProperty('secret')
})

it('only says with --dry-run what it would do', async () => {
  const said = await setup({}, { dryRun: true })
  expect(said).toMatch(/credential would be created/)
  expect(said).toMatch(/assistant-1 would be changed/)
  expect(platform.changes).toEqual([])
})

it.each([
  [{ PLATFORM_URL: '' }, /built-in platform .* nothing to set up/],
  [{ PUBLIC_URL: '' }, /^PUBLIC_URL: is needed/],
  [{ PUBLIC_URL: 'http://demo.example.com', HUMAN_CHECK: 'off' }, /^PUBLIC_URL: .* is no https address/],
  [{ PUBLIC_URL: 'https://localhost:3000' }, /^PUBLIC_URL: .* is no https address/],
  [{ CALL_WEBHOOK_URL: 'https://hooks.example.com/call' }, /^CALL_WEBHOOK_URL: names another call desk/],
  [{ PLATFORM_PRIVATE_KEY: 'wrong' }, /refuses the key \(Invalid Key\.\): check PLATFORM_PRIVATE_KEY$/],
  [{ PLATFORM_ASSISTANT_ID: 'none' }, /no assistant none\): check PLATFORM_ASSISTANT_ID/],
  [
    { PLATFORM_URL: 'http://127.0.0.1:9' },
    /^http:\/\/127\.0\.0\.1:9 can't be reached: nothing was changed; check PLATFORM_URL$/,
  ],
])('refuses %j, and changes nothing', async (environment, message) => {
  await expect(setup(environment)).rejects.toThrow(message)
  expect(platform.changes).toEqual([])
})

/** A server of ours in the platform's place. */
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

it.each([
  ['with a name', { 'content-type': 'text/html' }],
  ['without one', {}],
])('says that a server of web pages is no platform: %s', async (_, headers) => {
  const url = await answering((_, response) => response.writeHead(200, headers).end('<html></html>'))
  await expect(setup({ PLATFORM_URL: url })).rejects.toMatchObject({
    code: 'no_platform',
    message: `no voice platform answers at ${url}: check PLATFORM_URL`,
  })
})

it('gives up a platform that does not answer', async () => {
  const url = await answering(() => {})
  await expect(setup({ PLATFORM_URL: url }, {}, 200)).rejects.toThrow(
    `${url} did not answer within 0.2 s: nothing was changed; check PLATFORM_URL`,
  )
})

it('says that what was done stays, where something may have been', async () => {
  const url = await answering(({ method, url }, response) => {
    const known = method === 'GET' ? (url?.startsWith('/assistant') ? { id: 'assistant-1' } : []) : undefined
    response
      .writeHead(known ? 200 : 500, { 'content-type': 'application/json' })
      .end(JSON.stringify(known ?? { message: 'No.' }))
  })
  await expect(setup({ PLATFORM_URL: url })).rejects.toThrow(
    `${url} answers POST /credential: No.; what was done stays done, and the same command goes on from there`,
  )
})
