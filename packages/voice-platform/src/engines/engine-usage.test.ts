import { expect, it } from 'vitest'
import type { Model, Tokens } from './engine.js'
import { EngineUsage } from './engine-usage.js'

const counting = (told: Tokens): Model => ({
  name: 'counting model',
  async *reply(_messages, { onTokens }) {
    onTokens?.(told)
    yield 'Yes.'
  },
})

async function usageOf(told: Tokens, tools: object[] = []) {
  const usage = new EngineUsage()
  const offered = tools.map((parameters) => ({ name: 'look', description: '', parameters }))
  const { signal } = new AbortController()
  const asked = { signal, tools: offered }
  for await (const _ of usage.ofModel(counting(told)).reply([{ role: 'user', content: 'What?' }], asked));
  return [usage.promptTokens, usage.completionTokens]
}

it('believes the tokens that a model counts', async () => {
  expect(await usageOf({ prompt: 900, completion: 4_000 })).toEqual([900, 4_000])
})

it('believes no more than a model can have read and written: budgets count it', async () => {
  const [prompt, completion] = await usageOf({ prompt: 1e15, completion: 1e300 })
  expect(prompt).toBeLessThan(11_000)
  expect(completion).toBe(10_016)
})

it('counts what the tools have it read', async () => {
  expect(await usageOf({ prompt: 50_000, completion: 1 }, [{ pad: 'x'.repeat(20_000) }])).toEqual([50_000, 1])
})
