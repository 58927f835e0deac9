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
  const calls: Omit<ToolCall, 'id'>[] = []
  const model = createOpenAiModel({ url: server.url, name: 'gpt-4o-mini' })
  const options = {
    ...{ signal: new AbortController().signal, maxTokens: 250, tools },
    onToolCall: ({ id: _, ...call }: ToolCall) => calls.push(call),
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

describe('a server that takes no tools', () => {
  const refusals = {
    OpenAI: [
      400,
      {
        error: {
          message: "Unsupported parameter: 'tools' is not supported with this model.",
          type: 'invalid_request_error',
          param: 'tools',
          code: 'unsupported_parameter',
        },
      },
    ],
    Ollama: [
      400,
      {
        error: {
          message: 'registry.ollama.ai/library/gemma:2b does not support tools',
          type: 'api_error',
          param: null,
          code: null,
        },
      },
    ],
    vLLM: [
      400,
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    ],
    'llama.cpp': [
      500,
      { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    ],
  } as const

  /** A model at such a server, and how it is asked. */
  function bench([status, refusal]: readonly [number, object]) {
    const refused: string[] = []
    const model = createOpenAiModel({ url: server.url, onToolsRefused: (name) => refused.push(name) })
    server.script.intercept = (_, response) => {
      if (!offered().at(-1)) return false
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refusal))
      return true
    }
    const ask = async (name = 'gemma:2b', tools: ModelTool[] = [TOOL]) => {
      let text = ''
      const options = { signal: new AbortController().signal, model: name, tools }
      for await (const piece of model.reply([], options)) text += piece
      return text
    }
    return { refused, ask }
  }
  const offered = () => server.requests.map(({ body }) => 'tools' in JSON.parse(body.toString()))

  it.each(Object.entries(refusals))('is asked again without them, as %s says so', async (_, refusal) => {
    const { ask, refused } = bench(refusal)
    expect(await ask()).toBe('One moment.')
    expect(offered()).toEqual([true, false])
    expect(await ask()).toBe('One moment.')
    expect(offered()).toEqual([true, false, false])
    expect(refused).toEqual(['gemma:2b'])
  })

  it('is told of once for each model, however many replies are under way', async () => {
    const { ask, refused } = bench(refusals.Ollama)
    expect(await Promise.all([ask(), ask(), ask('llama2')])).toEqual(Array(3).fill('One moment.'))
    expect(refused.sort()).toEqual(['gemma:2b', 'llama2'])
  })

  it.each([
    ['one tool by its place', 400, "Invalid 'tools[0].function.name': string does not match pattern."],
    ['something else', 400, 'This model is overloaded.'],
    ['a key', 401, 'This key may not use tools.'],
  ])('goes on to be offered tools where it refuses %s', async (_, status, message) => {
    const { ask, refused } = bench([status, { error: { message } }])
    await expect(ask()).rejects.toThrow(String(status))
    expect([offered(), refused]).toEqual([[true], []])
  })

  it('that was offered none is not asked again', async () => {
    const { ask } = bench(refusals.Ollama)
    server.script.intercept = (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refusals.Ollama[1]))
      return true
    }
    await expect(ask('gemma:2b', [])).rejects.toThrow('400')
    expect(offered()).toEqual([false])
  })
})
