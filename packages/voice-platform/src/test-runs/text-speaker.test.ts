import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { NextSpeaker, SessionAssistant } from '../session/session-assistant.js'
import { type EngineScript, ScriptedEngines } from '../testing/scripted-engines.js'
import type { CallTool } from '../tools/call-tool.js'
import { TextSpeaker } from './text-speaker.js'

const never = new AbortController().signal

function speaker(script: EngineScript, own: Partial<SessionAssistant> = {}, tools: readonly CallTool[] = []) {
  const engines = new ScriptedEngines(script)
  const assistant = {
    ...{ systemPrompt: 'You sell bread.', maxDurationSeconds: 600, silenceTimeoutSeconds: 30, ...own },
  }
  const next: NextSpeaker = { assistant, model: engines.model, tools }
  return { engines, writer: new TextSpeaker(next, new ManualClock(0), pino({ level: 'silent' })) }
}
const prices: CallTool = {
  model: { name: 'prices', description: 'Says what things cost.', parameters: { type: 'object' } },
  run: async ({ of }) => ({ result: `${of}: 2 dollars` }),
}
const endCall = { type: 'endCall', name: 'endCall', message: 'Goodbye!' } as const

it('says its first message, waits, or has the model begin', async () => {
  const greets = speaker({}, { firstMessage: 'Good morning!' })
  expect(await greets.writer.opening(never)).toEqual({ words: 'Good morning!', isOver: false })
  expect(greets.engines.asked).toEqual([])
  expect(await speaker({}).writer.opening(never)).toBeUndefined()
  const begins = speaker({ replies: [['Hello!']] }, { modelSpeaksFirst: true })
  expect(await begins.writer.opening(never)).toEqual({ words: 'Hello!', isOver: false })
})

it('uses its tools, and reads what they answer', async () => {
  const { engines, writer } = speaker(
    {
      replies: [['One moment.'], ['Two dollars.']],
      uses: [[{ id: 'a', name: 'prices', arguments: { of: 'bread' } }]],
    },
    {},
    [prices],
  )
  expect(await writer.answer('What does bread cost?', never)).toEqual({
    words: 'One moment. Two dollars.',
    isOver: false,
  })
  expect(engines.asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'bread: 2 dollars' })
  expect(writer.record().map(({ role }) => role)).toEqual([
    ...['system', 'user', 'bot', 'tool_calls', 'tool_call_result', 'bot'],
  ])
})

it('ends with its tool, or with an end phrase', async () => {
  const ends = speaker(
    { replies: [['Gladly.']], uses: [[{ name: 'endCall', arguments: {} }]] },
    { tools: [endCall] },
  )
  expect(await ends.writer.answer('That is all.', never)).toEqual({ words: 'Gladly. Goodbye!', isOver: true })
  const says = speaker({ replies: [['Well, good-bye!']] }, { endCallPhrases: ['goodbye', 'good bye'] })
  expect(await says.writer.answer('That is all.', never)).toMatchObject({ isOver: true })
})

it('goes on after a tool that it does not have, and uses no more than twenty', async () => {
  const call = { name: 'nothing', arguments: {} }
  const uses = Array.from({ length: 30 }, () => Array.from({ length: 7 }, () => call))
  const { engines, writer } = speaker({ replies: [['']], uses }, {}, [prices])
  await writer.answer('Hello?', never)
  const used = writer.record().filter(({ role }) => role === 'tool_call_result')
  expect(used).toHaveLength(20)
  expect(used[0]?.result).toBe('There is no such tool.')
  expect(engines.asked.length).toBeLessThan(6)
})

it('rejects where the model fails', async () => {
  await expect(speaker({ replies: [new Error('broken')] }).writer.answer('Hello?', never)).rejects.toThrow(
    'broken',
  )
})
