import { readFileSync, writeFileSync } from 'node:fs'
import { type CallDesk, createCallDesk, SIMULATED_GATE } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { operations } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { NumberAccount } from '../carriers/number-account.js'
import { createOfflineModel } from '../engines/offline/offline-model.js'
import type { OrgPeople } from '../orgs/org-people.js'
import type { VoicePlatformOptions } from '../platform-port.js'
import { NangoStandIn } from '../testing/nango-stand-in.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { OTHER_FORMS, SMALLEST, type Stored } from '../testing/smallest-requests.js'

const README = new URL('../../README.md', import.meta.url)
const TABLE = /(?<=<!-- operations -->\n)[\s\S]*(?=<!-- \/operations -->)/
const SOMEONE = '00000000-0000-4000-8000-000000000000'
const SLACK = 'slack.oauth2-authorization'
/** What no setting and no account brings. */
const NOWHERE = /the hosted platform|another installation/
/** As the requests come: what is created is read, changed and deleted later, and what lies in something before that. */
const TURNS = ['POST', 'GET', 'PATCH', 'PUT', 'DELETE']
/** What others of the same turn need. */
const FIRST = [
  'POST /assistant',
  'POST /test-suite',
  'POST /credential/session',
  'POST /credential/webhook',
  'DELETE /log',
]
const LAST = ['DELETE /test-suite/{id}', 'DELETE /phone-number/{id}', 'DELETE /assistant/{id}']

/** An operation of the client's table. */
type Operation = { method: string; path: string }
const keyOf = ({ method, path }: Operation) => `${method} ${path}`
const placeOf = (operation: Operation): number => {
  const key = keyOf(operation)
  const among = FIRST.includes(key) ? FIRST.indexOf(key) : LAST.includes(key) ? 20 + LAST.indexOf(key) : 10
  return TURNS.indexOf(operation.method) * 100 + among
}
const inTurn = operations.toSorted((one, other) => placeOf(one) - placeOf(other))

const refusal = z.object({ message: z.string(), error: z.literal('Not Served') })
const made = z.looseObject({ id: z.string() })

let db: Db
/** As an installation starts, where nobody has set anything. */
let plain: PlatformBench
let desk: CallDesk
let orgId: string
const parts = { resourcesKey: Buffer.alloc(32, 7), campaigns: () => desk.campaigns }
beforeAll(async () => {
  db = await openPlatformDb()
  const engines = Object.assign(new ScriptedEngines(), { model: createOfflineModel() })
  plain = await startPlatform(db, { ...parts, engines })
  // It never starts: no campaign calls anybody here.
  desk = createCallDesk({
    db,
    platform: plain.client,
    assistantId: SOMEONE,
    findVisitor: async () => null,
    hookSecrets: ['a-secret'],
    gate: SIMULATED_GATE,
    disclosure: 'This is an assistant.',
    logger: pino({ level: 'silent' }),
  })
  orgId = (await plain.client.orgs.list())[0]?.id ?? ''
})
afterAll(async () => {
  await desk.close()
  await plain.close()
  await db.close()
})

/** What lies at a path: the last name in it that is no parameter, also of what only asks for more. */
const familyOf = (path: string) =>
  path
    .replace(/^\/v2/, '')
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .filter((part) => !/^(web|phone|responses|upload|import|twilio)$/.test(part) || path.startsWith('/org'))
    .at(-1) ?? ''

function pathOf(path: string, stored: Stored, provider = '11labs'): string {
  const own = stored[familyOf(path)] ?? SOMEONE
  return path
    .replace('{provider}', provider)
    .replace('/org/{id}', `/org/${orgId}`)
    .replace('{memberId}', stored.member ?? SOMEONE)
    .replace('{testSuiteId}', stored['test-suite'] ?? SOMEONE)
    .replace(/\{\w+\}/, path.includes('/version') ? (stored.assistant ?? SOMEONE) : own)
}

async function send(bench: PlatformBench, operation: Operation, stored: Stored, key: string) {
  const { body, query = '', provider } = SMALLEST[keyOf(operation)]?.(stored) ?? {}
  const isForm = body instanceof FormData
  return await bench.platform.fetch(
    new Request(`http://platform${pathOf(operation.path, stored, provider)}${query}`, {
      method: operation.method,
      headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }),
  )
}

/** Sends the smallest request of an operation, and keeps the id of what it has stored. */
async function ask(bench: PlatformBench, operation: Operation, stored: Stored, key = KEYS.private) {
  const response = await send(bench, operation, stored, key)
  const text = await response.text()
  const body: unknown = /^[{[]/.test(text) ? JSON.parse(text) : text
  const { id } = made.safeParse(body).data ?? {}
  if (operation.method === 'POST' && response.ok && id !== undefined) stored[familyOf(operation.path)] = id
  return { status: response.status, ok: response.ok, body, text }
}

/** What is stored before all requests: a number as an operator adds one, beside the default. */
const beginning = async ({ platform }: PlatformBench): Promise<Stored> => {
  await platform.defaults()
  return { 'phone-number': (await platform.numbers.add({ number: '+12025550144' })).id, member: SOMEONE }
}

/** A test run that was played before. */
async function playedRun(testSuiteId = ''): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into voice_platform.resources (family, settings) values ('test-suite-run', $1::jsonb) returning id`,
    [{ testSuiteId, status: 'completed', testResults: [] }],
  )
  return rows[0]?.id ?? ''
}

/** Of a call that nobody has joined. */
const isOver = (bench: PlatformBench, id = '') =>
  vi.waitFor(async () => expect((await bench.client.calls.get(id)).status).toBe('ended'), 10_000)

/** `works`, or what the refusal says that it needs. Anything else is told as it is. */
function stateOf({ ok, body, status, text }: Awaited<ReturnType<typeof ask>>): string {
  if (ok) return 'works'
  const { message = '' } = refusal.safeParse(body).data ?? {}
  return /\bneeds .*?(?=\.$)/.exec(message)?.[0] ?? `${status} ${text}`
}
const STATE = /^(works$|needs )/

const account: NumberAccount = {
  sid: 'AC1',
  find: async () => 'bought',
  inbound: async () => undefined,
  receive: async () => true,
}
const MEMBER = 'the bearer of a member'
const people: OrgPeople = {
  mayBeMember: (bearer) => bearer === MEMBER,
  enter: async () => ({ name: 'Bo', userId: SOMEONE, role: 'admin' }),
  list: async () => [],
  invite: async () => ({}),
  setRole: async () => undefined,
  remove: async () => undefined,
}
/** What every party answers: to each question, the part that it asks for. */
const PARTIES = {
  ...{ voices: [], has_more: false, voice_id: 'v1', requires_verification: false },
  ...{ scenarios: [], hooks: [], workflows: [], locations: [] },
}
const WORKFLOW = {
  ...{ name: 'Bread', edges: [] },
  nodes: [{ type: 'conversation', name: 'start', isStart: true, prompt: 'Sell bread.' }],
}
/** What an installation gets by its settings, and by accounts at others. */
const equipment: Partial<VoicePlatformOptions> = {
  ...{ people, numberAccount: account, toolsAllowPrivate: true },
  engines: new ScriptedEngines({ replies: [[JSON.stringify(WORKFLOW)]] }),
  fetch: async () => Response.json(PARTIES),
}
const CREDENTIALS = [
  { provider: '11labs', apiKey: 'a-key' },
  { provider: 'make', apiKey: 'a-key', teamId: '4', region: 'eu1' },
  { provider: 'gohighlevel', apiKey: 'a-key' },
]

/** The answer of an operation once all is there that can be. */
async function askEquipped(bench: PlatformBench, nango: NangoStandIn, operation: Operation, stored: Stored) {
  // The private key is no member, who could leave.
  if (operation.path === '/org/{id}/leave') return await ask(bench, operation, stored, MEMBER)
  if (operation.path !== '/credential/webhook') return await ask(bench, operation, stored)
  const { sessionToken } = await bench.client.credentials.createSession({ provider: SLACK })
  const { webhook } = nango.consent(sessionToken)
  // A key that was just stored may take a second to be known.
  return await vi.waitFor(async () => {
    const response = await bench.platform.fetch(
      new Request('http://platform/credential/webhook', nango.delivery(webhook)),
    )
    expect(response.ok).toBe(true)
    return { status: response.status, ok: true, body: undefined, text: '' }
  }, 5_000)
}

it('the README says of each operation whether it works, or what it needs, and that is all it needs', async () => {
  const states = new Map<string, string>()
  const stored = await beginning(plain)
  for (const operation of inTurn) {
    const key = keyOf(operation)
    if (key === 'DELETE /call/{id}') await isOver(plain, stored.call)
    if (operation.method !== 'POST') stored.run ??= await playedRun(stored['test-suite'])
    states.set(key, stateOf(await ask(plain, operation, stored)))
  }
  expect([...states].filter(([, state]) => !STATE.test(state))).toEqual([])
  const others: string[] = []
  for (const [operation, body] of OTHER_FORMS) {
    const [method = '', path = ''] = operation.split(' ')
    const response = await plain.request(method, path, body)
    const text = await response.text()
    const answer = { status: response.status, ok: response.ok, body: JSON.parse(text), text }
    const state = stateOf(answer)
    expect([operation, body.provider, state]).toEqual([
      operation,
      body.provider,
      expect.stringMatching(NOWHERE),
    ])
    others.push(`| \`${operation}\` with \`${body.provider}\` | ${state} |\n`)
  }

  const nango = await new NangoStandIn().start()
  nango.integrations.add(SLACK)
  nango.actions.add('post-message')
  const equipped = await startPlatform(db, { ...parts, ...equipment })
  try {
    const { apiKey, webhookKey, url } = nango
    for (const credential of [...CREDENTIALS, { provider: 'nango', apiKey, webhookKey, url }])
      expect((await equipped.request('POST', '/credential', credential)).status).toBe(201)
    await db.query(`update voice_platform.calls set transcript = 'User: Bread.' where status = 'ended'`, [])
    const again = await beginning(equipped)
    const { assistants, testSuites } = equipped.client
    again.assistant = (await assistants.create({ name: 'Ava' })).id
    again['test-suite'] = (await testSuites.create({ targetPlan: { assistantId: again.assistant } })).id
    await ask(equipped, { method: 'POST', path: '/test-suite/{testSuiteId}/test' }, again)
    for (const operation of inTurn) {
      const key = keyOf(operation)
      const needs = states.get(key) ?? ''
      if (needs === 'works' || NOWHERE.test(needs)) continue
      const { status, ok, text } = await askEquipped(equipped, nango, operation, again)
      expect([key, ok ? 'works' : `${status} ${text}`]).toEqual([key, 'works'])
    }
  } finally {
    await equipped.close()
    await nango.close()
    await db.query(`delete from voice_platform.resources where family = 'credential'`, [])
  }

  const rows = operations.map(
    (operation) => `| \`${keyOf(operation)}\` | ${states.get(keyOf(operation))} |\n`,
  )
  const forms = `| further forms | |\n| --- | --- |\n${others.join('')}`
  const table = `\n| operation | |\n| --- | --- |\n${rows.join('')}\n${forms}\n`
  const readme = readFileSync(README, 'utf8')
  if (process.env.WRITE_README)
    writeFileSync(
      README,
      readme.replace(TABLE, () => table),
    )
  expect(rows).toHaveLength(135)
  expect(readFileSync(README, 'utf8')).toContain(table)
}, 120_000)

it('the public key reaches nothing but web calls and chats, and no key nothing but the refused webhook', async () => {
  const reach = async ({ method, path }: Operation, key: string) =>
    (await plain.request(method, pathOf(path, {}), method === 'GET' ? undefined : {}, key)).status
  for (const operation of operations) {
    const { method, path } = operation
    const isOpen = path === '/credential/webhook'
    if (path !== '/call/web' && !path.startsWith('/chat/web') && !isOpen)
      expect([method, path, await reach(operation, KEYS.public)]).toEqual([method, path, 401])
    expect([method, path, await reach(operation, '')]).toEqual([method, path, isOpen ? 422 : 401])
  }
})
