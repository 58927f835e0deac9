import { createServer, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Model, ModelMessage, ModelOptions } from '../engines/engine.js'
import type { OrgPeople } from '../orgs/org-people.js'
import { listen, shut } from '../testing/local-server.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

const EDITOR = 'member:editor'
const people: OrgPeople = {
  mayBeMember: (bearer) => bearer === EDITOR,
  enter: async () => ({ name: 'bob@example.com', userId: 'bob', role: 'editor' }),
  list: async () => [],
  invite: async () => ({}),
  setRole: async () => {},
  remove: async () => {},
}

/** Uses `orders`, `login` and `orders` again, and then says what was found; it plays the tester and the judge, too. */
class Clerk implements Model {
  readonly name = 'clerk'
  prompt = ''

  async *reply(messages: readonly ModelMessage[], { onToolCall }: ModelOptions) {
    const prompt = messages[0]?.content ?? ''
    if (prompt.startsWith('You judge')) yield '{"result": "pass", "reasoning": "Done."}'
    else if (prompt.startsWith('You play')) yield messages.length > 3 ? 'Goodbye!' : 'My orders?'
    else {
      this.prompt = prompt
      const tool = ['orders', 'login', 'orders'][messages.filter(({ role }) => role === 'tool').length]
      if (tool) onToolCall?.({ id: `use of ${tool}`, name: tool, arguments: {} })
      yield 'Here they are.'
    }
  }
}

let db: Db
/** The owner's own server, which knows people by their numbers and ids. */
let crm: Server
let url: string
let asked: string[]
let clerk: Clerk
let bench: PlatformBench
let assistantId: string
beforeAll(async () => {
  db = await openPlatformDb()
  crm = createServer((request, response) => {
    asked.push(decodeURIComponent(String(request.url)))
    response.end(request.url === '/login' ? '{"customerId": "c-7"}' : '{}')
  })
  url = await listen(crm)
})
beforeEach(async () => {
  asked = []
  clerk = new Clerk()
  const { transcriber, voice } = new ScriptedEngines()
  bench = await startPlatform(db, {
    ...{ engines: { transcriber, model: clerk, voice }, people, resourcesKey: Buffer.alloc(32, 7) },
    toolsAllowPrivate: true,
  })
  const tool = (name: string, path: string, more = {}) => ({
    ...{ type: 'apiRequest', name, method: 'GET', url: `${url}${path}` },
    ...more,
  })
  const variableExtractionPlan = {
    schema: { type: 'object', properties: { customerId: { type: 'string' } } },
  }
  const tools = [
    tool('login', '/login', { variableExtractionPlan }),
    tool('orders', '/{{shop}}/{{customer.number}}/{{customerId}}'),
  ]
  const messages = [
    { role: 'system', content: 'You talk to {{customer.name}}, {{customerId}}, of {{shop}}.' },
  ]
  const made = await post('/assistant', { model: { provider: 'openai', model: 'gpt-4o', tools, messages } })
  assistantId = made.id
})
afterEach(() => bench.close())
afterAll(async () => {
  await shut(crm)
  await db.close()
})

async function send(method: string, path: string, body: object, bearer?: string): Promise<{ id: string }> {
  const answer = await bench.request(method, path, body, bearer)
  expect(answer.status).toBeLessThan(300)
  return await answer.json()
}
const post = (path: string, body: object, bearer?: string) => send('POST', path, body, bearer)

const planWith = (variableValues: object) => ({ assistantId, assistantOverrides: { variableValues } })
const TEST = { type: 'chat', script: 'Ask for orders.', scorers: [{ type: 'ai', rubric: 'It answers.' }] }
/** What the owner's server is asked in an owner's run. */
async function askedInRun(suiteId: string) {
  asked = []
  const { id } = await post(`/test-suite/${suiteId}/run`, {})
  await vi.waitFor(async () =>
    expect((await bench.client.testSuites.runs.get(suiteId, id)).status).toBe('completed'),
  )
  return asked
}

it('what an editor’s plan says fills texts, and no tool before that has learned it itself', async () => {
  const { id } = await post(
    '/test-suite',
    { targetPlan: planWith({ shop: 'bakery', customerId: 'c-666' }) },
    EDITOR,
  )
  await post(`/test-suite/${id}/test`, TEST, EDITOR)
  expect(await askedInRun(id)).toEqual(['/bakery//', '/login', '/bakery//c-7'])
  expect(clerk.prompt).toBe('You talk to , c-666, of bakery.')
})

it('a plan is whose who wrote it last', async () => {
  const { id } = await post('/test-suite', { targetPlan: planWith({ shop: 'bakery', customerId: 'c-1' }) })
  await post(`/test-suite/${id}/test`, TEST)
  expect((await askedInRun(id))[0]).toBe('/bakery//c-1')
  const path = `/test-suite/${id}`
  await send('PATCH', path, { name: 'Orders' }, EDITOR)
  expect((await askedInRun(id))[0]).toBe('/bakery//c-1')
  const changed = await send('PATCH', path, { targetPlan: planWith({ customerId: 'c-2' }) }, EDITOR)
  expect((await askedInRun(id))[0]).toBe('///')
  expect(Object.keys(changed)).not.toContain('ofMembers')
  await send('PATCH', path, { name: 'All orders' })
  expect((await askedInRun(id))[0]).toBe('///')
  await send('PATCH', path, { targetPlan: planWith({ customerId: 'c-3' }) })
  expect((await askedInRun(id))[0]).toBe('///c-3')
})

it('a session’s customer fills the tools of its chats where an owner has named that one', async () => {
  const customer = {
    ...{ name: 'Ann', number: '+12025550199' },
    assistantOverrides: { variableValues: { shop: 'bakery', customerId: 'c-666' } },
  }
  const chat = async (bearer?: string) => {
    const { id: sessionId } = await post('/session', { assistantId, customer }, bearer)
    asked = []
    await post('/chat', { sessionId, input: 'My orders?' })
    expect(clerk.prompt).toBe('You talk to Ann, c-666, of bakery.')
    return asked
  }
  expect(await chat(EDITOR)).toEqual(['/bakery//', '/login', '/bakery//c-7'])
  expect(await chat()).toEqual(['/bakery/+12025550199/c-666', '/login', '/bakery/+12025550199/c-7'])
})

it('who goes on with an editor’s session may name the customer', async () => {
  const { id: sessionId } = await post('/session', { assistantId, customer: { name: 'Ann' } }, EDITOR)
  const variableValues = { shop: 'bakery', customer: { number: '+12025550142' } }
  await post('/chat', { sessionId, input: 'My orders?', assistantOverrides: { variableValues } })
  expect(asked[0]).toBe('/bakery/+12025550142/')
})
