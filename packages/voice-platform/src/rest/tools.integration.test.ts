import type { Db } from '@heyline/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AssistantVersions } from '../assistants/assistant-versions.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const TOOL = {
  type: 'function',
  function: { name: 'weather' },
  server: { url: 'https://tools.example/a', secret: 'hush-hush', headers: { authorization: 'Bearer hush' } },
}
let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { resourcesKey: Buffer.alloc(32, 7) })
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const asked = async (method: string, path: string, body?: unknown) => {
  const response = await bench.request(method, path, body)
  return { status: response.status, body: await response.json() }
}
const stored = async () =>
  (await db.query<{ row: string }>('select r::text as row from voice_platform.resources r', [])).rows

it('a tool is stored, changed and deleted, and nobody reads its secrets', async () => {
  const made = await asked('POST', '/tool', TOOL)
  expect(made).toMatchObject({ status: 201, body: { ...TOOL, server: { url: TOOL.server.url } } })
  const path = `/tool/${made.body.id}`
  const changed = await asked('PATCH', path, { function: { name: 'sky' } })
  expect(changed.body.function).toEqual({ name: 'sky' })
  const all = [made, changed, await asked('GET', path), await asked('GET', '/tool'), await stored()]
  expect(JSON.stringify(all)).not.toContain('hush')
  expect((await asked('GET', '/tool')).body).toHaveLength(1)
  expect((await asked('DELETE', path)).status).toBe(200)
  expect((await asked('GET', path)).status).toBe(404)
})

it('a tool that goes elsewhere takes no secret along', async () => {
  const { id } = (await asked('POST', '/tool', TOOL)).body
  const sealed = async () =>
    (
      await db.query<{ sealed: string | null }>('select sealed from voice_platform.resources where id = $1', [
        id,
      ])
    ).rows[0]?.sealed
  await asked('PATCH', `/tool/${id}`, { server: { url: TOOL.server.url, timeoutSeconds: 5 } })
  expect(await sealed()).toMatch(/^v1\./)
  await asked('PATCH', `/tool/${id}`, { server: { url: 'https://elsewhere.example/' } })
  expect(await sealed()).toBeNull()
})

it('a tool in an assistant has no secret in any answer, row, version or call', async () => {
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [TOOL] }
  const made = await asked('POST', '/assistant', { name: 'Ava', model })
  const path = `/assistant/${made.body.id}`
  const { model: shown } = (await asked('GET', path)).body
  expect(shown.tools).toEqual([{ ...TOOL, server: { url: TOOL.server.url } }])
  const changed = await asked('PATCH', path, { model: { ...shown, temperature: 0.5 } })
  const call = await asked('POST', '/call/web', { assistant: { model }, assistantOverrides: { model } })
  expect(call.status).toBe(201)
  const rows = await db.query(
    `select a::text from voice_platform.assistants a union all select v::text from voice_platform.assistant_versions v
     union all select c::text from voice_platform.calls c`,
  )
  const answers = [made, changed, call, await asked('GET', `/call/${call.body.id}`)]
  const all = [...answers, await asked('GET', `${path}/version`), await asked('DELETE', path), rows]
  expect(JSON.stringify(all)).not.toContain('hush')
  expect(JSON.stringify(rows)).toContain('sealedSecrets')
  expect(JSON.stringify(answers)).not.toContain('sealedSecrets')
})

it('a tool that comes back to its assistant has its secrets again', async () => {
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [TOOL] }
  const { id } = (await asked('POST', '/assistant', { name: 'Ava', model })).body
  const sealed = async () =>
    (
      await db.query<{ tool: unknown }>(
        "select settings #> '{model,tools,0}' as tool from voice_platform.assistants where id = $1",
        [id],
      )
    ).rows[0]?.tool
  const before = await sealed()
  await asked('PATCH', `/assistant/${id}`, { model: { ...model, tools: [] } })
  const [, first] = (await asked('GET', `/assistant/${id}/version`)).body.results
  expect(JSON.stringify(first)).not.toContain('hush')
  await asked('PUT', `/assistant/${id}`, first.assistant)
  expect(before).toHaveProperty('sealedSecrets')
  expect(await sealed()).toEqual({ ...Object(before), sealedSecrets: expect.stringMatching(/^v1\./) })
})

it('a tool is found again in versions that are read without their prompts', async () => {
  const messages = [{ role: 'system', content: 'You are a long prompt.' }]
  const model = { provider: 'openai', model: 'gpt-4o-mini', messages, tools: [TOOL] }
  const { id } = (await asked('POST', '/assistant', { name: 'Ava', model })).body
  const [kept] = await new AssistantVersions(db).withoutPrompts(id)
  expect(kept).toMatchObject({ name: 'Ava', model: { tools: [{ sealedSecrets: expect.any(String) }] } })
  expect(JSON.stringify(kept)).not.toContain('long prompt')
})

it('a tool in a template has none either, and keeps those that it had', async () => {
  const api = {
    ...{ type: 'apiRequest', method: 'GET', url: 'https://crm.example/' },
    headers: { type: 'object', properties: { Authorization: { type: 'string', value: 'Bearer hush' } } },
  }
  const shown = [
    { ...TOOL, server: { url: TOOL.server.url } },
    { ...api, headers: { type: 'object' } },
  ]
  const rowOf = async (id: string) =>
    (
      await db.query<{ details: { sealedSecrets?: string } }>(
        "select settings -> 'details' as details from voice_platform.resources where id = $1",
        [id],
      )
    ).rows[0]?.details
  for (const [at, details] of [TOOL, api].entries()) {
    const made = await asked('POST', '/template', { name: 'One', details })
    const path = `/template/${made.body.id}`
    expect(made).toMatchObject({ status: 201, body: { details: shown[at] } })
    const changed = await asked('PATCH', path, { details: { ...shown[at], description: 'New' } })
    const listed = await asked('GET', '/template')
    expect(JSON.stringify([made, changed, listed, await rowOf(made.body.id)])).not.toContain('hush')
    expect(await rowOf(made.body.id)).toMatchObject({ sealedSecrets: expect.stringMatching(/^v1\./) })
    expect(JSON.stringify([made, changed, listed])).not.toContain('sealedSecrets')
    // As the version before has stored it.
    await db.query(
      `update voice_platform.resources set settings = settings || jsonb_build_object('details', $2::jsonb) where id = $1`,
      [made.body.id, details],
    )
    expect(await asked('GET', path)).toMatchObject({ status: 200, body: { details: shown[at] } })
    expect(JSON.stringify(await asked('GET', path))).not.toContain('hush')
    await asked('PATCH', path, { details: shown[at] })
    expect(await rowOf(made.body.id)).toMatchObject({ sealedSecrets: expect.stringMatching(/^v1\./) })
    await asked('DELETE', path)
  }
})

it('a tool of a chat has its secrets in the next chat, too', async () => {
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [TOOL] }
  const speaker = { assistant: { model }, assistantOverrides: { model } }
  const first = await asked('POST', '/chat', { ...speaker, input: 'Hello' })
  const next = await asked('POST', '/chat', { previousChatId: first.body.id, input: 'And now?' })
  expect([first.status, next.status]).toEqual([201, 201])
  const { rows } = await db.query<{ given: unknown; set: unknown }>(
    `select assistant_given #> '{model,tools,0}' as given, overrides #> '{model,tools,0}' as set from voice_platform.chats`,
  )
  const sealed = expect.objectContaining({ sealedSecrets: expect.stringMatching(/^v1\./) })
  expect(rows).toEqual([
    { given: sealed, set: sealed },
    { given: sealed, set: sealed },
  ])
  expect(JSON.stringify([first, next, rows])).not.toContain('hush')
})

it('a tool in the assistant of a session has none either, and its chats have them', async () => {
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [TOOL] }
  const session = await asked('POST', '/session', { assistant: { name: 'Ava', model } })
  const shown = [{ ...TOOL, server: { url: TOOL.server.url } }]
  expect(session).toMatchObject({
    status: 201,
    body: { assistant: { name: 'Ava', model: { tools: shown } } },
  })
  const chat = await asked('POST', '/chat', { sessionId: session.body.id, input: 'Hello' })
  expect(chat).toMatchObject({ status: 201, body: { assistant: { name: 'Ava' } } })
  const { rows } = await db.query<{ tool: unknown }>(
    `select assistant_given #> '{model,tools,0}' as tool from voice_platform.chats where session_id = $1
     union all select settings #> '{assistant,model,tools,0}' from voice_platform.resources where id = $1`,
    [session.body.id],
  )
  const sealed = expect.objectContaining({ sealedSecrets: expect.stringMatching(/^v1\./) })
  expect(rows).toEqual([{ tool: sealed }, { tool: sealed }])
  expect(JSON.stringify([session, chat, await asked('GET', '/session'), rows])).not.toContain('hush')
  await asked('DELETE', `/session/${session.body.id}`)
})

it('a tool in a hook of an assistant, or in the overrides of a session’s customer, has none either', async () => {
  const { id } = (await asked('POST', '/assistant', { name: 'Ava' })).body
  const changed = await asked('PATCH', `/assistant/${id}`, {
    hooks: [{ on: 'call.ending', do: [{ type: 'tool', tool: TOOL }] }],
  })
  const model = { provider: 'openai', tools: [TOOL] }
  const customer = { number: '+12025550123', assistantOverrides: { model } }
  const session = await asked('POST', '/session', { customer })
  expect([changed.status, session.status]).toEqual([200, 201])
  expect(session.body.customer.assistantOverrides.model.tools).toEqual([
    { ...TOOL, server: { url: TOOL.server.url } },
  ])
  const rows = await db.query(
    'select a::text from voice_platform.assistants a union all select r::text from voice_platform.resources r',
  )
  expect(JSON.stringify([changed, session, await asked('GET', '/session'), rows])).not.toContain('hush')
  await asked('DELETE', `/session/${session.body.id}`)
})

it('a tool in a squad or a workflow has none either', async () => {
  const model = { provider: 'openai', model: 'gpt-4o-mini', tools: [TOOL] }
  const squad = await asked('POST', '/squad', { members: [{ assistant: { name: 'Ava', model } }] })
  const members = squad.body.members
  expect(members[0].assistant.model.tools).toEqual([{ ...TOOL, server: { url: TOOL.server.url } }])
  const workflow = await asked('POST', '/workflow', {
    name: 'Weather',
    nodes: [
      { type: 'conversation', name: 'start', isStart: true, prompt: 'Ask where.' },
      { type: 'tool', name: 'look', tool: TOOL },
    ],
    edges: [{ from: 'start', to: 'look' }],
  })
  expect(workflow.status).toBe(201)
  const calls = [
    await asked('POST', '/call/web', { squad: { members: [{ assistant: { name: 'Ava', model } }] } }),
    await asked('POST', '/call/web', { workflowId: workflow.body.id }),
  ]
  expect(calls.map(({ status }) => status)).toEqual([201, 201])
  const changed = await asked('PATCH', `/squad/${squad.body.id}`, { members })
  const { rows } = await db.query<{ row: string }>(
    'select r::text as row from voice_platform.resources r union all select c::text from voice_platform.calls c',
  )
  expect(JSON.stringify([squad, workflow, calls, changed, rows])).not.toContain('hush')
  expect(JSON.stringify([squad, workflow, calls, changed])).not.toContain('sealedSecrets')
  expect(rows.filter(({ row }) => row.includes('Ava') && row.includes('sealedSecrets'))).not.toHaveLength(0)
})

it.each([
  ['no type', { function: { name: 'x' } }, 400],
  ['a bad name', { type: 'function', function: { name: 'a b' } }, 400],
  ['a placeholder in the host', { type: 'apiRequest', method: 'GET', url: 'https://{{host}}/' }, 400],
  ['a user in the address', { type: 'apiRequest', method: 'GET', url: 'https://a@b.example/' }, 400],
  ['an id of its own', { ...TOOL, id: NOBODY }, 400],
  [
    "somebody else's number",
    {
      type: 'transferCall',
      destinations: [{ type: 'number', number: '+12025550142', callerId: '+12025550199' }],
    },
    400,
  ],
])('a tool with %s is refused', async (_, tool, status) => {
  expect((await asked('POST', '/tool', tool)).status).toBe(status)
})

it('the public key reads and makes no tools', async () => {
  for (const [method, body] of [['GET'], ['POST', TOOL]] as const)
    expect((await bench.request(method, '/tool', body, 'public-key-for-tests')).status).toBe(401)
})
