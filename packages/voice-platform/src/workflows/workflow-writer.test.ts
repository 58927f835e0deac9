import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { createOfflineModel } from '../engines/offline/offline-model.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { WorkflowWriter, type WorkflowWriterOptions } from './workflow-writer.js'

const TOOL = '00000000-0000-4000-8000-000000000001'
const WORKFLOW = {
  name: 'Bakery',
  nodes: [
    { type: 'conversation', name: 'greet', isStart: true, prompt: 'Ask what they want.' },
    { type: 'tool', name: 'order', toolId: TOOL },
    { type: 'tool', name: 'bye', tool: { type: 'endCall' } },
  ],
  edges: [
    { from: 'greet', to: 'order', condition: { type: 'ai', prompt: 'They want bread.' } },
    { from: 'order', to: 'bye' },
  ],
}
const never = new AbortController().signal

function writer(answers: (object | string | Error)[], more: Partial<WorkflowWriterOptions> = {}) {
  const replies = answers.map((answer) =>
    answer instanceof Error ? answer : [typeof answer === 'string' ? answer : JSON.stringify(answer)],
  )
  const engines = new ScriptedEngines({ replies })
  const own = new WorkflowWriter({
    model: engines.model,
    transcripts: async () => ['User: Bread, please.'],
    findTool: async (id) => (id === TOOL ? { type: 'function', function: { name: 'order' } } : undefined),
    clock: new ManualClock(),
    ...more,
  })
  return { engines, write: (toolIds = [TOOL]) => own.write({ toolIds }, never) }
}

it('writes a workflow from calls and tools', async () => {
  const { engines, write } = writer([`Here it is:\n${JSON.stringify(WORKFLOW)}`])
  expect(await write()).toEqual(WORKFLOW)
  const [, order] = engines.asked[0]?.messages ?? []
  expect(order?.content).toContain('User: Bread, please.')
  expect(order?.content).toContain(`toolId ${TOOL}: {"type":"function"`)
})

it('tells the model once what is wrong', async () => {
  const { engines, write } = writer([{ ...WORKFLOW, edges: [{ from: 'greet', to: 'nowhere' }] }, WORKFLOW])
  expect(await write()).toEqual(WORKFLOW)
  expect(engines.asked[1]?.messages.at(-1)?.content).toContain('there is no node nowhere')
})

it.each([
  ['no JSON', 'I cannot.', 'no JSON object'],
  ['a server of its own', { ...WORKFLOW, server: { url: 'https://evil.example/' } }, 'server'],
  [
    'a tool with an address',
    {
      ...WORKFLOW,
      nodes: [
        WORKFLOW.nodes[0],
        { type: 'tool', name: 'x', tool: { type: 'apiRequest', url: 'https://evil.example/' } },
      ],
      edges: [],
    },
    'nodes.1',
  ],
])('refuses %s, after two tries', async (_, answer, why) => {
  const { engines, write } = writer([answer])
  await expect(write()).rejects.toMatchObject({ status: 422, message: expect.stringContaining(why) })
  expect(engines.asked).toHaveLength(2)
})

it('refuses a tool that was not given', async () => {
  await expect(writer([WORKFLOW]).write([])).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('toolId that is not in the list: order'),
  })
})

it('says what is missing before it asks the model', async () => {
  const other = '00000000-0000-4000-8000-000000000002'
  const none = writer([WORKFLOW])
  await expect(none.write([other])).rejects.toMatchObject({ status: 400 })
  await expect(writer([WORKFLOW], { transcripts: async () => [] }).write()).rejects.toMatchObject({
    status: 400,
  })
  await expect(writer([], { model: createOfflineModel() }).write()).rejects.toMatchObject({ status: 422 })
  expect(none.engines.asked).toEqual([])
})

it('writes two at the same time at most, for two minutes, and says that the engine failed', async () => {
  const clock = new ManualClock()
  const hanging = new ScriptedEngines({ replies: ['hang'] })
  const { write } = writer([], { model: hanging.model, clock })
  const both = [write(), write()].map((one) => one.catch(({ message }: Error) => message))
  await expect(write()).rejects.toMatchObject({ status: 429 })
  while (hanging.asked.length < 2) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(120_000)
  for (const one of both) expect(await one).toContain('took too long')
  await expect(writer([new Error('broken')]).write()).rejects.toMatchObject({ status: 503 })
})
