import { afterEach, beforeEach, expect, it } from 'vitest'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import type { ModelOptions, Tokens } from '../engine.js'
import { EngineUsage } from '../engine-usage.js'
import { createOpenAiModel } from './openai-model.js'

const REPLY = ['Nine ', 'dollars.']
const LINES = [{ role: 'user', content: 'How much is it?' }] as const

let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn({ reply: REPLY })
})
afterEach(() => server.close())

const { signal } = new AbortController()
const modelOf = () => createOpenAiModel({ url: server.url, name: 'gpt-4o-mini' })
async function textOf(model: ReturnType<typeof modelOf>, options: Partial<ModelOptions> = {}) {
  let text = ''
  for await (const piece of model.reply(LINES, { signal, ...options })) text += piece
  return text
}
const asked = () => server.requests.map(({ body }) => 'stream_options' in JSON.parse(body.toString()))

it('counts the tokens of a reply for whoever asks', async () => {
  const told: Tokens[] = []
  const model = modelOf()
  expect(await textOf(model, { onTokens: (tokens) => told.push(tokens) })).toBe('Nine dollars.')
  expect(told).toEqual([{ prompt: 1, completion: 2 }])
  await textOf(model)
  expect(asked()).toEqual([true, false])
})

it('goes without where a server knows no such field, and asks it no more', async () => {
  server.script.unsupported = ['stream_options']
  const usage = new EngineUsage()
  const model = usage.ofModel(modelOf())
  expect(await textOf(model)).toBe('Nine dollars.')
  expect(await textOf(model)).toBe('Nine dollars.')
  expect(asked()).toEqual([true, false, false])
  expect(usage).toMatchObject({ promptTokens: 0, completionTokens: 0, modelRead: 30, modelWritten: 26 })
})

it('reckons rare letters of a reply that is broken off as the tokens they are, with the tools that were offered', async () => {
  const usage = new EngineUsage()
  const tool = { name: 'book', description: '', parameters: {} }
  const lines = [{ role: 'user', content: 'ꀀ'.repeat(1_000) }] as const
  for await (const _ of usage.ofModel(modelOf()).reply(lines, { signal, tools: [tool] })) break
  expect(usage).toMatchObject({ promptTokens: 0, modelRead: 12_000 + JSON.stringify([tool]).length })
})

it('takes what a server counts, and the characters of a reply that is broken off', async () => {
  const usage = new EngineUsage()
  const model = usage.ofModel(modelOf())
  await textOf(model)
  for await (const _ of model.reply(LINES, { signal })) break
  expect(usage).toMatchObject({ promptTokens: 1, completionTokens: 2, modelRead: 15, modelWritten: 5 })
})
