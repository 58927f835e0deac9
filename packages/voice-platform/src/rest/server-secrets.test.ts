import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { Doorkeeper } from './access.js'
import { hideServerSecrets, withoutServerSecrets } from './server-secrets.js'

const SERVER = { url: 'https://a.example', secret: 'hush' }

/** What is answered to a member below admin, and how many turns the event loop makes meanwhile. */
async function answered(value: object, status?: 201) {
  const app = new Hono()
  const keeper = new Doorkeeper({ public: 'public', private: 'private' }, Object.create(null))
  keeper.isBelowAdmin = () => true
  hideServerSecrets(app, keeper)
  app.get('/', (context) => context.json(value, status))
  let turns = 0
  let isDone = false
  const asked = Promise.resolve(app.request('/')).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  const answer = await asked
  const { headers } = answer
  return { status: answer.status, type: headers.get('content-type'), body: await answer.json(), turns }
}

it('masks and writes large lists with turns for others between the rows', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({ at, server: SERVER, many: Array(20_000).fill({}) }))
  const shown = rows.map((row) => ({ ...row, server: { url: SERVER.url } }))
  const list = await answered(rows)
  expect(list).toMatchObject({ status: 200, type: 'application/json', body: shown })
  const page = await answered({ results: rows, metadata: { totalItems: 20 } }, 201)
  expect(page).toMatchObject({ status: 201, type: 'application/json' })
  expect(page.body).toEqual({ results: shown, metadata: { totalItems: 20 } })
  for (const { turns } of [list, page]) expect(turns).toBeGreaterThanOrEqual(20)
})

it('does so where few values are long texts', async () => {
  const rows = Array.from({ length: 20 }, () => ({ text: 'x'.repeat(1_000_000), server: SERVER }))
  const { body, turns } = await answered(rows)
  expect(body).toEqual(rows.map(({ text }) => ({ text, server: { url: SERVER.url } })))
  expect(turns).toBeGreaterThanOrEqual(15)
})

it.each([[[]], [{ results: [] }], [{ results: 'none', metadata: 1 }], [{}], [[1, null]]])(
  'writes %j as it is',
  async (value) => {
    expect((await answered(value)).body).toEqual(value)
  },
)

it('leaves out what is secret of servers at any depth, and nothing else', () => {
  const server = { url: 'https://a.example', secret: 'hush', headers: { a: 'b' }, timeoutSeconds: 5 }
  const open = { url: 'https://a.example', timeoutSeconds: 5 }
  const own = { secret: 'a word', server: { secret: 'theirs' } }
  const credentials = [
    { provider: 'webhook', name: 'Ours', apiKey: 'hush', authenticationPlan: { token: 'hush' } },
  ]
  expect(
    withoutServerSecrets({
      credentials,
      model: { provider: 'custom-llm', headers: { a: 'hush' }, tools: [{ server }] },
    }),
  ).toEqual({
    credentials: [{ provider: 'webhook', name: 'Ours' }],
    model: { provider: 'custom-llm', tools: [{ server: open }] },
  })
  expect(
    withoutServerSecrets({
      ...{ server, metadata: own, headers: ['a'], secret: 1, name: null, at: new Date(0) },
      squad: { members: [{ assistant: { server }, assistantOverrides: { server, variableValues: own } }] },
    }),
  ).toEqual({
    ...{ server: open, metadata: own, headers: ['a'], secret: 1, name: null, at: new Date(0) },
    squad: {
      members: [{ assistant: { server: open }, assistantOverrides: { server: open, variableValues: own } }],
    },
  })
})

it('leaves out what is secret of tools and of models that stand in, at any depth', () => {
  const properties = { authorization: { type: 'string', value: 'hush' } }
  const crm = { type: 'apiRequest', url: 'https://a.example', headers: { type: 'object', properties } }
  const shown = { ...crm, headers: { type: 'object' } }
  const code = { type: 'code', code: '1', environmentVariables: [{ name: 'KEY', value: 'hush' }] }
  const fallbackModels = [{ provider: 'custom-llm', headers: { a: 'hush' } }]
  const inside = (...tools: object[]) => ({ destinations: [{ assistant: { model: { tools } } }] })
  expect(
    withoutServerSecrets({
      ...{ details: { ...crm, headers: { authorization: 'hush' } }, tool: inside(crm, code) },
      model: { fallbackModels, 'tools:append': [crm] },
      headers: { type: 'object', properties },
    }),
  ).toEqual({
    ...{ details: { ...crm, headers: {} }, tool: inside(shown, { type: 'code', code: '1' }) },
    model: { fallbackModels: [{ provider: 'custom-llm' }], 'tools:append': [shown] },
    headers: { type: 'object', properties },
  })
})

it('leaves out fixed values of tools at any depth, but for those of a template, which editors change', () => {
  const named = (hush: object) => ({
    type: 'object',
    required: ['key'],
    properties: {
      key: { type: 'string', description: 'a word', ...hush },
      value: { type: 'number', ...hush },
      metadata: { type: 'string', ...hush },
      lines: {
        type: 'array',
        items: { properties: { key: { type: 'string', ...hush } } },
      },
      either: { anyOf: [{ type: 'string', ...hush }] },
    },
  })
  const tools = (hush: object) => [
    { type: 'apiRequest', url: 'https://a.example', body: named(hush), parameters: [{ key: 'a', ...hush }] },
    { type: 'function', parameters: [{ key: 'a', ...hush }, 1], function: { name: 'a' } },
  ]
  const all = { value: 'hush' }
  const [crm] = tools(all)
  const asked = { type: 'function', function: { parameters: { properties: { value: { type: 'string' } } } } }
  const others = { parameters: { value: 1 }, body: named(all), tool: asked, details: crm }
  const inside = (hush: object) => ({
    destinations: [{ assistant: { model: { 'tools:append': tools(hush) } } }],
  })
  expect(withoutServerSecrets({ ...others, tools: tools(all), squad: inside(all) })).toEqual({
    ...{ ...others, tools: tools({}), squad: inside({}) },
  })
})

it('leaves out what the schema of a body fixes otherwise, and no choice of the model', () => {
  const named = (const_: object, only: object) => ({
    type: 'object',
    properties: {
      key: { type: 'string', ...const_ },
      region: { type: 'string', ...only },
      const: { type: 'string', ...const_ },
      enum: { type: 'string', ...only },
      lines: {
        type: 'array',
        items: {
          oneOf: [
            { type: 'string', ...const_ },
            { type: 'string', ...only },
          ],
        },
      },
      size: { type: 'string', enum: ['S', 'M'], default: 'M' },
      none: { type: 'string', enum: [], default: 'none' },
    },
    additionalProperties: { type: 'string', ...only },
  })
  const fixed = named({ const: 'hush', default: 'hush' }, { enum: ['hush'], default: 'hush' })
  const crm = { type: 'apiRequest', url: 'https://a.example', body: fixed }
  const asked = { type: 'function', function: { name: 'a', parameters: fixed } }
  expect(withoutServerSecrets({ tool: crm, tools: [crm, asked], details: crm, body: fixed })).toEqual({
    ...{ tool: { ...crm, body: named({}, {}) }, tools: [{ ...crm, body: named({}, {}) }, asked] },
    ...{ details: crm, body: fixed },
  })
})

it('leaves the origin of the address of an MCP server at any depth, whose path may be the key', () => {
  const open = { timeoutSeconds: 5 }
  const mcp = (server: unknown) => ({ type: 'mcp', metadata: { protocol: 'shttp' }, server })
  const at = (url: unknown) => mcp({ url, secret: 'hush', headers: { a: 'hush' }, ...open })
  const crm = { type: 'function', server: { url: 'https://a.example/crm' } }
  const shown = mcp({ url: 'https://mcp.example:8443', ...open })
  const key = at('https://u:hush@mcp.example:8443/s/hush/mcp?key=hush#hush')
  const inside = (...tools: object[]) => ({ destinations: [{ assistant: { model: { tools } } }] })
  expect(withoutServerSecrets([key, { tool: key, tools: [crm, inside(key)] }])).toEqual([
    shown,
    { tool: shown, tools: [crm, inside(shown)] },
  ])
  const odd = ['{{hush}}', 'mcp:hush', 'file:///hush', '', 1, null]
  expect(withoutServerSecrets(odd.map(at))).toEqual(odd.map(() => mcp(open)))
  expect(withoutServerSecrets([mcp('hush'), mcp(null), { type: 'mcp' }])).toEqual([
    ...[
      { type: 'mcp', metadata: { protocol: 'shttp' } },
      { type: 'mcp', metadata: { protocol: 'shttp' } },
    ],
    { type: 'mcp' },
  ])
})

it('leaves the address of an MCP server in a template, which editors change', () => {
  const template = { details: { type: 'mcp', server: { url: 'https://mcp.example/s/key' } } }
  expect(withoutServerSecrets(template)).toEqual(template)
})

it('takes names and types that every object has', () => {
  const value = { constructor: { type: 'constructor', toString: { valueOf: 'a word' } } }
  expect(withoutServerSecrets(value)).toEqual(value)
})
