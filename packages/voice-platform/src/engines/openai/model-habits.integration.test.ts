import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSession } from '../../session/running-session.js'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import { ScriptedEngines } from '../../testing/scripted-engines.js'
import { ScriptedLink } from '../../testing/scripted-link.js'
import type { ModelOptions } from '../engine.js'
import { createOpenAiModel } from './openai-model.js'

const REPLY = ['Nine ', 'dollars ', 'a month.']

let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn({ reply: REPLY, unsupported: ['max_tokens', 'temperature'] })
})
afterEach(() => server.close())

const { signal } = new AbortController()
function bench() {
  const model = createOpenAiModel({ url: server.url })
  return async (options: Partial<ModelOptions> = {}) => {
    const limits = { maxTokens: 250, temperature: 0.2 }
    let text = ''
    for await (const piece of model.reply([], { signal, model: 'gpt-5-mini', ...limits, ...options }))
      text += piece
    return text
  }
}
/** The limits of each request so far. */
const asked = () =>
  server.requests.map(({ body }) => {
    const { max_tokens, max_completion_tokens, temperature, model } = JSON.parse(body.toString())
    return { model, max_tokens, max_completion_tokens, temperature }
  })
const AS_MOST = { model: 'gpt-5-mini', max_tokens: 250, temperature: 0.2 }
const LEARNT = { model: 'gpt-5-mini', max_completion_tokens: 250 }

describe('a model that takes neither max_tokens nor a temperature', () => {
  it('is asked again at once, and right from then on', async () => {
    const reply = bench()
    expect(await reply()).toBe('Nine dollars a month.')
    expect(asked()).toEqual([
      AS_MOST,
      { model: 'gpt-5-mini', max_completion_tokens: 250, temperature: 0.2 },
      LEARNT,
    ])
    expect(await reply()).toBe('Nine dollars a month.')
    expect(asked().slice(3)).toEqual([LEARNT])
  })

  it('says nothing about another model', async () => {
    const reply = bench()
    await reply()
    server.script.unsupported = []
    await reply({ model: 'llama3.2' })
    expect(asked().at(-1)).toEqual({ ...AS_MOST, model: 'llama3.2' })
  })

  it('answers all that ask before it is known', async () => {
    const reply = bench()
    expect(await Promise.all([reply(), reply(), reply()])).toEqual(Array(3).fill('Nine dollars a month.'))
  })

  it('is understood through a proxy that passes on the sentence alone', async () => {
    server.script.unsupported = []
    let refusals = 1
    server.script.intercept = (_, response) => {
      if (refusals-- <= 0) return false
      const message =
        "litellm.BadRequestError: OpenAIException - Unsupported parameter: 'max_tokens' is not supported"
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message, type: null, param: null, code: '400' } }))
      return true
    }
    expect(await bench()()).toBe('Nine dollars a month.')
    expect(asked()[1]).toEqual({ model: 'gpt-5-mini', max_completion_tokens: 250, temperature: 0.2 })
  })

  it.each([
    ['a parameter that was not sent', { code: 'unsupported_parameter', param: 'top_p' }],
    ['a value', { code: 'decimal_above_max_value', param: 'temperature' }],
    ['no parameter', { code: 'context_length_exceeded', param: 'messages' }],
  ])('is not asked again for %s', async (_, error) => {
    server.script.intercept = (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
      return true
    }
    await expect(bench()()).rejects.toThrow(`400 (${error.code})`)
    expect(asked()).toEqual([AS_MOST])
  })
})

describe('a model that thinks before it speaks', () => {
  it('gets room for that once its tokens did not suffice for a word', async () => {
    server.script.thinkingTokens = 300
    const reply = bench()
    expect(await reply()).toBe('Nine dollars a month.')
    expect(asked().at(-1)).toEqual({ model: 'gpt-5-mini', max_completion_tokens: 4_250 })
    await reply()
    expect(asked()).toHaveLength(5)
  })

  it('says no more than it may', async () => {
    server.script.thinkingTokens = 300
    expect(await bench()({ maxTokens: 2 })).toBe('Nine dollars ')
  })

  it('is not asked for ever', async () => {
    server.script.thinkingTokens = 100_000
    expect(await bench()()).toBe('')
    expect(asked()).toHaveLength(4)
  })
})

it('a call hears its first reply, and no apology', async () => {
  const link = new ScriptedLink()
  const { transcriber, voice } = new ScriptedEngines()
  const session = startSession({
    link,
    logger: pino({ level: 'silent' }),
    engines: { transcriber, voice, model: createOpenAiModel({ url: server.url, name: 'o4-mini' }) },
    assistant: {
      ...{ maxDurationSeconds: 600, silenceTimeoutSeconds: 600 },
      ...{ modelSpeaksFirst: true, temperature: 0.2 },
    },
  })
  await vi.waitFor(() => expect(link.eventsOf('transcript')).toHaveLength(1))
  session.end('assistant-ended-call')
  const { messages } = await session.ended
  expect(messages.map(({ message }) => message)).toEqual(['Nine dollars a month.'])
})
