import { createServer } from 'node:http'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { CreateTestSuiteTest } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Model, ModelMessage, ModelOptions } from '../engines/engine.js'
import { createOfflineModel } from '../engines/offline/offline-model.js'
import { listen, shut } from '../testing/local-server.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

/** Plays all parts, by the first prompt that it reads. What it was asked is kept. */
class Actor implements Model {
  readonly name = 'actor'
  readonly asked: (readonly ModelMessage[])[] = []
  verdict = '{"result": "pass", "reasoning": "It names the price."}'
  hangs = false

  async *reply(messages: readonly ModelMessage[], { signal, tools, onToolCall }: ModelOptions) {
    this.asked.push(messages)
    const [prompt] = messages
    if (prompt?.content.startsWith('You judge')) yield this.verdict
    else if (prompt?.content.startsWith('You play'))
      yield messages.length > 3 ? 'Thanks. Goodbye!' : 'What does bread cost?'
    else if (this.hangs)
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    else {
      if (tools?.length && messages.at(-1)?.role !== 'tool')
        for (const { name } of tools) onToolCall?.({ id: `use of ${name}`, name, arguments: {} })
      yield 'It costs two dollars.'
    }
  }
}

let db: Db
let bench: PlatformBench
let model: Actor
const clock = new ManualClock(Date.now())
const start = async (played: Model) => {
  const { transcriber, voice } = new ScriptedEngines()
  return await startPlatform(db, {
    ...{ engines: { transcriber, model: played, voice }, clock, resourcesKey: Buffer.alloc(32, 7) },
    toolsAllowPrivate: true,
  })
}
beforeAll(async () => {
  db = await openPlatformDb()
})
beforeEach(async () => {
  model = new Actor()
  bench = await start(model)
})
afterEach(() => bench.close())
afterAll(() => db.close())

/** A suite with one test of an assistant that sells bread. */
async function suiteOf({ numAttempts = 1, rubric = 'It says what {{thing}} costs.' } = {}) {
  const { assistants, testSuites } = bench.client
  const { id: assistantId } = await assistants.create({
    firstMessage: 'Bakery, good morning!',
    model: { provider: 'openai', messages: [{ role: 'system', content: 'You sell bread.' }] },
  })
  const suite = await testSuites.create({
    name: 'Bakery',
    targetPlan: { assistantId },
    testerPlan: { assistantOverrides: { variableValues: { thing: 'bread' } } },
  })
  const test = await testSuites.tests.create(suite.id, {
    ...{ type: 'chat', script: 'Ask what {{thing}} costs.', numAttempts },
    scorers: [{ type: 'ai', rubric }],
  })
  return { suite, test }
}
const ended = (suiteId: string, id: string) =>
  vi.waitFor(async () => {
    const run = await bench.client.testSuites.runs.get(suiteId, id)
    expect(run.status).toMatch(/completed|failed/)
    return run
  })

it('plays each attempt in writing, judges it by its rubric, and keeps what was written', async () => {
  const { suite, test } = await suiteOf({ numAttempts: 2 })
  const { runs } = bench.client.testSuites
  const begun = await runs.create(suite.id, { name: 'First' })
  expect(begun).toMatchObject({ name: 'First', testSuiteId: suite.id, status: 'queued', testResults: [] })
  const run = await ended(suite.id, begun.id)
  expect(run).toMatchObject({ status: 'completed', name: 'First', testResults: [{ test }] })
  const attempt = {
    scorerResults: [
      { type: 'ai', result: 'pass', reasoning: 'It names the price.', rubric: 'It says what bread costs.' },
    ],
    call: {
      artifact: {
        transcript: [
          'AI: Bakery, good morning!',
          'User: What does bread cost?',
          'AI: It costs two dollars.',
          'User: Thanks. Goodbye!',
          'AI: It costs two dollars.',
        ].join('\n'),
      },
    },
  }
  expect(run.testResults[0]?.attempts).toMatchObject([attempt, attempt])
  const tester = model.asked.find(([prompt]) => prompt?.content.startsWith('You play'))
  expect(tester?.[0]?.content).toContain('Ask what bread costs.')
})

it('a tool of a plan is used with its key, which no answer has', async () => {
  const keys = new Set<string | undefined>()
  const server = createServer((request, response) => {
    keys.add(request.headers.authorization)
    response.end('{}')
  })
  const url = await listen(server)
  const { suite } = await suiteOf()
  const headers = { type: 'object', properties: { authorization: { type: 'string', value: 'Bearer hush' } } }
  const crm = { type: 'apiRequest', name: 'crm', method: 'GET', url, headers }
  const assistantOverrides = { model: { provider: 'openai', tools: [crm] } }
  const targetPlan = { ...suite.targetPlan, assistantOverrides }
  const changed = await bench.request('PATCH', `/test-suite/${suite.id}`, { targetPlan })
  expect([changed.status, await changed.text()]).toEqual([200, expect.not.stringContaining('hush')])
  const run = await ended(suite.id, (await bench.client.testSuites.runs.create(suite.id, {})).id)
  expect(JSON.stringify(run)).not.toMatch(/hush|sealedSecrets/)
  expect(keys).toEqual(new Set(['Bearer hush']))
  await shut(server)
})

it('a run is listed, renamed and deleted, and goes with its suite', async () => {
  const { suite } = await suiteOf()
  const { testSuites } = bench.client
  const { id } = await testSuites.runs.create(suite.id, {})
  const run = await ended(suite.id, id)
  expect((await testSuites.runs.list(suite.id)).results).toEqual([run])
  const renamed = await testSuites.runs.update(suite.id, id, { name: 'May' })
  expect(renamed).toEqual({ ...run, name: 'May', updatedAt: renamed.updatedAt })
  expect(await testSuites.runs.delete(suite.id, id)).toEqual(renamed)
  await expect(testSuites.runs.get(suite.id, id)).rejects.toMatchObject({ status: 404 })
  const second = await testSuites.runs.create(suite.id, {})
  await testSuites.delete(suite.id)
  const { rows } = await db.query('select 1 from voice_platform.resources where id = $1', [second.id])
  expect(rows).toEqual([])
})

it('an answer that is no verdict counts as failed, once it was asked for twice', async () => {
  const { suite } = await suiteOf()
  model.verdict = 'Well, it depends.'
  const run = await ended(suite.id, (await bench.client.testSuites.runs.create(suite.id, {})).id)
  expect(run.testResults[0]?.attempts[0]?.scorerResults).toMatchObject([
    { result: 'fail', reasoning: 'The model gave no verdict.' },
  ])
  expect(model.asked.filter(([prompt]) => prompt?.content.startsWith('You judge'))).toHaveLength(2)
})

it('a run ends after ten minutes, and says so', async () => {
  const { suite } = await suiteOf()
  model.hangs = true
  const { id } = await bench.client.testSuites.runs.create(suite.id, {})
  await vi.waitFor(() => expect(model.asked).toHaveLength(2))
  clock.advance(600_000)
  const run = await ended(suite.id, id)
  expect(run).toMatchObject({
    status: 'failed',
    testResults: [{ attempts: [{ scorerResults: [{ result: 'fail', reasoning: expect.any(String) }] }] }],
  })
  expect(run.testResults[0]?.attempts[0]?.scorerResults[0]?.reasoning).toContain('ten minutes')
})

it('one that a process left behind has failed', async () => {
  const { suite } = await suiteOf()
  const { id } = await bench.client.testSuites.runs.create(suite.id, {})
  await ended(suite.id, id)
  await db.query(
    `update voice_platform.resources set settings = settings || '{"status":"in-progress"}',
       updated_at = now() - interval '20 minutes' where id = $1`,
    [id],
  )
  expect(await bench.client.testSuites.runs.get(suite.id, id)).toMatchObject({ status: 'failed' })
})

it('says what is missing, or too much', async () => {
  const { testSuites } = bench.client
  const { suite } = await suiteOf()
  const refused = (id: string) => testSuites.runs.create(id, {}).catch(({ message }: Error) => message)
  const { id } = await testSuites.create({})
  expect(await refused(id)).toContain('has no tests')
  const test: CreateTestSuiteTest = { type: 'chat', script: 'Ask.', scorers: [], numAttempts: 10 }
  await testSuites.tests.create(id, test)
  expect(await refused(id)).toContain('give targetPlan.assistantId')
  await testSuites.update(id, {
    targetPlan: { phoneNumber: { provider: 'test-suite', number: '+12025550101' } },
  })
  expect(await refused(id)).toContain('calls no other number')
  for (let more = 0; more < 5; more += 1) await testSuites.tests.create(suite.id, test)
  expect(await refused(suite.id)).toContain('51 attempts, and a run at most 50')
  expect(model.asked).toEqual([])
})

it('is refused with the offline model, which cannot judge', async () => {
  const { suite } = await suiteOf()
  await bench.close()
  bench = await start(createOfflineModel())
  await expect(bench.client.testSuites.runs.create(suite.id, {})).rejects.toMatchObject({ status: 422 })
})
