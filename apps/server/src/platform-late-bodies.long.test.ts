import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Role } from '@heyline/back-office'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { readServerKeys } from './testing/server-keys.js'

const PASSWORD = 'correct horse battery staple'
const directory = mkdtempSync(join(tmpdir(), 'heyline-late-'))
let heyline: Heyline
let cookie = ''
let count = 0
beforeAll(async () => {
  heyline = await startHeyline({
    settings: readSettings({ PORT: '0', DATA_DIR: directory, PLATFORM_OPERATORS: 'on' }),
    logger: pino({ level: 'silent' }),
  })
  const code = /#setup=([\w-]+)/.exec(heyline.banner)?.[1]
  const body = { code, email: 'ada@example.com', password: PASSWORD }
  const made = await send('POST', '/-/office/session/set-up', { body })
  cookie = /^[^;]+/.exec(made.headers.get('set-cookie') ?? '')?.[0] ?? ''
})
afterAll(async () => {
  await heyline.close()
  rmSync(directory, { recursive: true })
})

interface Sent {
  body?: unknown
  headers?: Record<string, string>
}
const send = (method: string, path: string, { body, headers }: Sent = {}) =>
  fetch(`${heyline.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: heyline.url, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
/** As the first owner, in the console. */
const asOwner = async (path: string, body: unknown) => {
  const answer = await send('POST', `/-/office${path}`, { body, headers: { cookie } })
  expect([path, answer.status, answer.ok]).toEqual([path, answer.status, true])
  return await answer.json()
}
const asPlatform = async (method: string, path: string, body?: unknown) => {
  const key = readServerKeys(directory).platformPrivate
  const answer = await send(method, `/-/platform${path}`, {
    body,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.ok).toBe(true)
  return await answer.json()
}

/** An operator who has just come in, with an access token. */
async function operator(role: Role) {
  count += 1
  const email = `person-${count}@example.com`
  const { link } = await asOwner('/operators/invite', { email, role })
  const body = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)))
  const headers = { apikey: readServerKeys(directory).publishable }
  const verified = await send('POST', '/-/backend/auth/v1/verify', { body, headers })
  const { access_token: invited } = await verified.json()
  await send('PUT', '/-/backend/auth/v1/user', {
    body: { password: PASSWORD },
    headers: { ...headers, authorization: `Bearer ${invited}` },
  })
  const signedIn = await send('POST', '/-/backend/auth/v1/token?grant_type=password', {
    ...{ body: { email, password: PASSWORD }, headers },
  })
  return { email, bearer: String((await signedIn.json()).access_token) }
}

interface Slow {
  bearer: string
  path: string
  type?: string
  body: string
}

/** Sends a request but for its last byte, does something else, and sends that byte. Answers with the status. */
async function statusOfLate(
  { bearer, path, type = 'application/json', body }: Slow,
  meanwhile: () => unknown,
) {
  const { port } = new URL(heyline.url)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  const head = [
    ...[`POST /-/platform${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${bearer}`],
    ...[`content-type: ${type}`, `content-length: ${body.length}`, 'connection: close'],
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`)
  // An answer to a later request: this one was admitted before.
  const other = await send('GET', '/-/platform/template', { headers: { authorization: `Bearer ${bearer}` } })
  expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-store'])
  await meanwhile()
  socket.write(body.slice(-1))
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1])
}

const TOOL = { path: '/tool', body: JSON.stringify({ type: 'function', function: { name: 'bake' } }) }
const TEMPLATE = { path: '/template', body: JSON.stringify({ provider: 'function' }) }
const FILE = {
  ...{ path: '/file', type: 'multipart/form-data; boundary=x' },
  body: '--x\r\ncontent-disposition: form-data; name="file"; filename="bread.txt"\r\n\r\nBread.\r\n--x--\r\n',
}
const TOKEN = { path: '/token', body: '{}' }

it.each([TOOL, TOKEN])('refuses an owner who is removed before the end of the body: $path', async (asked) => {
  const { email, bearer } = await operator('owner')
  expect(await statusOfLate({ ...asked, bearer }, () => undefined)).toBe(201)
  const remove = () => asOwner('/operators/remove', { email })
  expect(await statusOfLate({ ...asked, bearer }, remove)).toBe(403)
})

it.each([
  ['owner', 'editor', TOOL.path, TOOL],
  ['editor', 'viewer', TEMPLATE.path, TEMPLATE],
  ['editor', 'viewer', FILE.path, FILE],
] as const)('refuses an %s who is made %s before the end of the body: %s', async (before, role, _, asked) => {
  const { email, bearer } = await operator(before)
  const lower = () => asOwner('/operators/role', { email, role })
  expect(await statusOfLate({ ...asked, bearer }, lower)).toBe(403)
})

it.each([TEMPLATE, FILE])(
  'refuses an API key that is revoked before the end of the body: $path',
  async (asked) => {
    const { key, id } = await asOwner('/api-keys', { name: 'ci', role: 'editor', days: 1 })
    expect(await statusOfLate({ ...asked, bearer: key }, () => undefined)).toBe(201)
    const revoke = () => asOwner('/api-keys/revoke', { id })
    expect(await statusOfLate({ ...asked, bearer: key }, revoke)).toBe(401)
  },
)

it.each([TOOL, TOKEN, FILE])(
  'refuses a token that is revoked before the end of the body: $path',
  async (asked) => {
    const { id, value } = await asPlatform('POST', '/token', {})
    expect(await statusOfLate({ ...asked, bearer: value }, () => undefined)).toBe(201)
    const revoke = () => asPlatform('DELETE', `/token/${id}`)
    expect(await statusOfLate({ ...asked, bearer: value }, revoke)).toBe(401)
  },
)
