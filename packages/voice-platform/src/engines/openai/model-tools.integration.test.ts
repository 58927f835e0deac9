import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import type { ModelTool, ToolCall } from '../engine.js'
import { createOpenAiModel } from './openai-model.js'

let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn({ reply: ['One moment.'] })
})
afterEach(() => server.close())

const TOOL: ModelTool = { name: 'dtmf', description: 'Presses keys.', parameters: { type: 'object' } }
async function reply(tools: ModelTool[] = [TOOL]) {
  const calls: ToolCall[] = []
  const model = createOpenAiModel({ url: server.url, name: 'gpt-4o-mini' })
  const options = {
    ...{ signal: new AbortController().signal, maxTokens: 250, tools },
    onToolCall: (call: ToolCall) => calls.push(call),
  }
  let text = ''
  for await (const piece of model.reply([], options)) text += piece
  return { text, calls }
}

describe('tools of the OpenAI model', () => {
  it('are offered, and their calls are put together from the stream', async () => {
    server.script.toolCalls = [
      { name: 'dtmf', arguments: { dtmf: '12#' } },
      { name: 'transferCall', arguments: { destination: '+12025550142' } },
    ]
    expect(await reply()).toEqual({ text: 'One moment.', calls: server.script.toolCalls })
    expect(JSON.parse(server.requests[0]?.body.toString() ?? '').tools).toEqual([
      { type: 'function', function: TOOL },
    ])
  })

  it('may be all of a reply', async () => {
    server.script.reply = []
    server.script.toolCalls = [{ name: 'dtmf', arguments: { dtmf: '1' } }]
    expect(await reply()).toEqual({ text: '', calls: server.script.toolCalls })
    expect(server.requests).toHaveLength(1)
  })

  it('are not named where there are none', async () => {
    await reply([])
    expect(JSON.parse(server.requests[0]?.body.toString() ?? '')).not.toHaveProperty('tools')
  })

  it.each([
    ['no JSON', '{"dtmf": "1'],
    ['no object', '[1]'],
    ['too long', JSON.stringify({ dtmf: '1'.repeat(5_000) })],
  ])('have no arguments where these are %s', async (_, json) => {
    server.script.intercept = (_path, response) => {
      const tool_calls = [{ id: 'a', type: 'function', function: { name: 'dtmf', arguments: json } }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: null, tool_calls } }] }))
      return true
    }
    expect((await reply()).calls).toEqual([{ name: 'dtmf', arguments: {} }])
  })
})
