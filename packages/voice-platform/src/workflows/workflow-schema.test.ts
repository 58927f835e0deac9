import { expect, it } from 'vitest'
import { workflowOverrides, workflowSettings } from './workflow-schema.js'

const start = { type: 'conversation', name: 'start', isStart: true }
const workflow = (more: object = {}) => ({ name: 'W', nodes: [start], edges: [], ...more })
const issues = (value: object) => JSON.stringify(workflowSettings.safeParse(value).error?.issues ?? [])

it('a workflow with nodes, edges and plans is taken as it is', () => {
  const whole = workflow({
    nodes: [
      { ...start, prompt: 'Ask.', metadata: { x: 1 } },
      { type: 'tool', name: 'bye', tool: { type: 'endCall' } },
    ],
    edges: [{ from: 'start', to: 'bye', condition: { type: 'ai', prompt: 'The caller is done.' } }],
    globalPrompt: 'Be kind.',
    maxDurationSeconds: 60,
  })
  expect(issues(whole)).toBe('[]')
})

it.each([
  ['no start', { nodes: [{ type: 'conversation', name: 'a' }] }, 'exactly one node with isStart'],
  ['two starts', { nodes: [start, { ...start, name: 'b' }] }, 'exactly one node with isStart'],
  ['a name twice', { nodes: [start, { type: 'conversation', name: 'start' }] }, 'name of two nodes'],
  ['an edge to nowhere', { edges: [{ from: 'start', to: 'x' }] }, 'there is no node x'],
  ['another start', { nodes: [{ ...start, type: 'tool', tool: { type: 'endCall' } }] }, 'another start'],
  [
    'another condition',
    { edges: [{ from: 'start', to: 'start', condition: { type: 'logic' } }] },
    'must be ai',
  ],
  [
    'a tool of another type',
    { nodes: [start, { type: 'tool', name: 't', tool: { type: 'bash' } }] },
    'bash is not',
  ],
  ['a tool that is none', { nodes: [start, { type: 'tool', name: 't' }] }, 'a tool or a toolId'],
  ['an unknown setting', { extra: true }, 'extra'],
  [
    'two ways without a condition',
    {
      edges: [
        { from: 'start', to: 'start' },
        { from: 'start', to: 'start' },
      ],
    },
    'more than one edge without a condition',
  ],
])('a workflow with %s is refused by name', (_, more, named) => {
  expect(issues(workflow(more))).toContain(named)
})

it('a call changes the values of a workflow and nothing else', () => {
  expect(workflowOverrides.parse({ variableValues: { a: 1 } })).toEqual({ variableValues: { a: 1 } })
  expect(workflowOverrides.safeParse({ model: {} }).success).toBe(false)
})
