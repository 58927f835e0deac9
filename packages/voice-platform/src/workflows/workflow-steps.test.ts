import type { CreateWorkflow, WorkflowEdge, WorkflowNode } from '@heyline/platform-client'
import { describe, expect, it } from 'vitest'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { type NodeWays, type ToolStep, WorkflowSteps, type WorkflowStepsOptions } from './workflow-steps.js'

const { model } = new ScriptedEngines()
const START: WorkflowNode = { type: 'conversation', name: 'start', isStart: true }
const talk = (name: string): WorkflowNode => ({ type: 'conversation', name })
const tool = (name: string): WorkflowNode => ({ type: 'tool', name, tool: { type: 'endCall' } })
const edge = (from: string, to: string, prompt?: string): WorkflowEdge => ({
  ...{ from, to },
  ...(prompt !== undefined && { condition: { type: 'ai', prompt } }),
})

/** The ways out of the start of a workflow, and what is behind the one that needs no condition. */
async function walked(
  nodes: WorkflowNode[],
  edges: WorkflowEdge[],
  more: Partial<Pick<WorkflowStepsOptions, 'runTool' | 'choose' | 'read'>> = {},
) {
  const workflow: CreateWorkflow = { name: 'W', nodes: [START, ...nodes], edges }
  const made: NodeWays[] = []
  const steps = new WorkflowSteps({
    workflow,
    make: async (node, ways) => {
      made.push(ways)
      return { assistant: { name: node.name, maxDurationSeconds: 1, silenceTimeoutSeconds: 1 }, model }
    },
    runTool: async ({ name }) => ({ type: 'ran', result: `${name} ran` }),
    choose: async () => undefined,
    read: async () => undefined,
    ...more,
  })
  await steps.first()
  const ways = made[0]
  const opened = await ways?.onward?.target.open([], new AbortController().signal)
  return { ways, opened, made }
}

describe('the steps of a workflow', () => {
  it('lead on by conditions, to global nodes from everywhere, and by themselves once the caller has answered', async () => {
    const help: WorkflowNode = {
      ...{ type: 'conversation', name: 'help' },
      globalNodePlan: { enabled: true, enterCondition: 'The caller wants help' },
    }
    const { ways } = await walked(
      [talk('a'), talk('b'), help],
      [edge('start', 'a', 'It is a'), edge('start', 'b')],
    )
    expect(ways?.tools).toMatchObject([
      { type: 'way', name: 'way_1', description: 'It is a', target: { name: 'a' } },
      { type: 'way', name: 'way_2', description: 'The caller wants help', target: { name: 'help' } },
    ])
    expect(ways?.onward).toMatchObject({ once: 'answered', target: { name: 'b' } })
  })

  it('run tools on the way, whose results the next node reads', async () => {
    const { ways, opened } = await walked(
      [tool('one'), tool('two'), talk('end')],
      [edge('start', 'one'), edge('one', 'two'), edge('two', 'end')],
    )
    expect(ways?.onward?.once).toBe('spoken')
    expect(opened).toMatchObject({
      ...{ type: 'speaker', speaker: { assistant: { name: 'end' } } },
      results: ['one: one ran', 'two: two ran'],
    })
  })

  it('leave a tool by the way that the model chooses, else by the one without a condition', async () => {
    const nodes = [tool('one'), talk('yes'), talk('no')]
    const edges = [edge('start', 'one'), edge('one', 'yes', 'It worked'), edge('one', 'no')]
    const chosen = await walked(nodes, edges, { choose: async (_, [way]) => way?.name })
    expect(chosen.opened).toMatchObject({ speaker: { assistant: { name: 'yes' } } })
    expect((await walked(nodes, edges)).opened).toMatchObject({ speaker: { assistant: { name: 'no' } } })
  })

  it('end where a tool ends the call, where nothing leads on, and in a circle of tools', async () => {
    const end: ToolStep = { type: 'end', message: 'Bye.' }
    const ended = await walked([tool('one')], [edge('start', 'one')], { runTool: async () => end })
    expect(ended.opened).toEqual(end)
    expect((await walked([tool('one')], [edge('start', 'one')])).opened).toMatchObject({
      why: expect.stringContaining('no edge'),
    })
    const circle = await walked([tool('one')], [edge('start', 'one'), edge('one', 'one')])
    expect(circle.opened).toMatchObject({ why: expect.stringContaining('too many tools') })
  })
})
