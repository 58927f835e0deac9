import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { ModelMessage, ToolCall } from '../engines/engine.js'
import { type EngineScript, ScriptedEngines } from '../testing/scripted-engines.js'
import type { CallTool } from '../tools/call-tool.js'
import type { EndMessage } from '../tools/tool-messages.js'
import { type WrittenStep, type WrittenTurnOptions, writtenTurn } from './written-turn.js'
import { NO_SUCH_TOOL, notUsed, writtenUse } from './written-use.js'

const logger = pino({ level: 'silent' })
const { signal } = new AbortController()
const hours: CallTool = {
  model: { name: 'hours', description: 'Says when we are open.', parameters: { type: 'object' } },
  run: async () => ({ result: 'Seven.' }),
}
const saying = (message: Partial<EndMessage>): CallTool => ({
  ...hours,
  messages: {
    ...{ start: [], delayed: [], failed: [] },
    complete: [{ content: 'It is done.', conditions: [], isHint: false, endsCall: false, ...message }],
  },
})
const uses = (...names: string[]): Omit<ToolCall, 'id'>[] => names.map((name) => ({ name, arguments: {} }))

async function played(script: EngineScript, tool = hours, own: Partial<WrittenTurnOptions> = {}) {
  const { model, asked } = new ScriptedEngines(script)
  const kept: ModelMessage[] = [{ role: 'user', content: 'When?' }]
  const turn = writtenTurn({
    ...{ assistant: {}, model, signal, offered: [tool.model], uses: { left: 9 }, read: () => kept },
    use: async (call) =>
      call.name === tool.model.name ? writtenUse(call, tool, { signal, logger }) : NO_SUCH_TOOL,
    ...own,
  })
  const steps: WrittenStep[] = []
  for (;;) {
    const { done, value } = await turn.next()
    if (done) return { asked, steps, ...value }
    steps.push(value)
    if (value.type !== 'piece') kept.push({ role: 'assistant', content: value.text })
  }
}
const typesOf = (steps: readonly WrittenStep[]) => steps.map(({ type }) => type)
const resultsOf = (steps: readonly WrittenStep[]) =>
  steps.flatMap((step) => (step.type === 'result' ? [step.text] : []))

it('comes in pieces, and reads all that it has yielded', async () => {
  const { asked, steps, isOver } = await played({
    replies: [['One ', 'moment.'], ['At seven.']],
    uses: [uses('hours')],
  })
  expect(typesOf(steps)).toEqual(['piece', 'piece', 'reply', 'result', 'piece', 'reply'])
  expect(asked[1]?.messages.map(({ content }) => content)).toEqual(['When?', 'One moment.', 'Seven.'])
  expect(isOver).toBe(false)
})

it('goes on after a tool that there is not, and at last without tools', async () => {
  const often = Array.from({ length: 9 }, () => uses('nothing'))
  const { asked, steps } = await played({ replies: [['']], uses: often }, hours, { uses: { left: 99 } })
  expect(resultsOf(steps)[0]).toBe('There is no such tool.')
  expect(asked.map(({ options }) => options.tools?.length)).toEqual([1, 1, 1, 1, 1, undefined])
})

it('leaves out uses that are too many, or says so', async () => {
  const script = { replies: [['']], uses: [uses('hours', 'hours', 'hours')] }
  expect(resultsOf((await played(script, hours, { uses: { left: 2 } })).steps)).toEqual(['Seven.', 'Seven.'])
  const told = await played(script, hours, { uses: { left: 2 }, tooOften: notUsed('Too often.') })
  expect(resultsOf(told.steps)).toEqual(['Seven.', 'Seven.', 'Too often.'])
  expect(told.asked[1]?.options.tools).toBeUndefined()
})

it('has a tool speak for itself, tell the model, and end the conversation', async () => {
  const script = { replies: [['']], uses: [uses('hours')] }
  const says = await played(script, saying({}))
  expect([typesOf(says.steps), says.asked.length]).toEqual([['reply', 'result', 'said'], 1])
  const hints = await played(script, saying({ isHint: true }))
  expect(typesOf(hints.steps)).toEqual(['reply', 'result', 'hint', 'reply'])
  expect((await played(script, saying({ endsCall: true }))).isOver).toBe(true)
})

it('does not wait for a tool that nobody waits for, and takes a failure as a result', async () => {
  const script = { replies: [['Gladly.'], ['Well.']], uses: [uses('hours')] }
  const slow: CallTool = { ...hours, isAsync: true, run: () => new Promise(() => {}) }
  expect((await played(script, slow)).asked).toHaveLength(1)
  const broken: CallTool = { ...hours, run: () => Promise.reject(new Error('broken')) }
  expect(resultsOf((await played(script, broken)).steps)).toEqual(['Error: The tool failed.'])
})

it('rejects where the model fails, and with the signal’s reason', async () => {
  await expect(played({ replies: [new Error('broken')] })).rejects.toThrow('broken')
  const stop = new AbortController()
  stop.abort(new Error('gone'))
  await expect(played({ replies: ['hang'] }, hours, { signal: stop.signal })).rejects.toThrow('gone')
})
