import { expect, it } from 'vitest'
import type { Model } from '../engines/engine.js'
import { BudgetedModel } from './run-budget.js'

const signal = new AbortController().signal
const FREE = {
  ...{ modelInputPerMillion: 0, modelOutputPerMillion: 0, transcriberPerMinute: 0 },
  ...{ voicePerThousand: 0, platformPerMinute: 0 },
}
/** Answers, and counts the tokens that it is told. */
const counting = (tokens: number): Model => ({
  name: 'counting',
  async *reply(_, { onTokens }) {
    yield 'Yes.'
    onTokens?.({ prompt: tokens, completion: 0 })
  },
})
/** How often it answers before it refuses, and why. */
async function answersOf(model: BudgetedModel, content: string, most: number) {
  for (let answered = 0; answered < most; answered += 1)
    try {
      for await (const _ of model.reply([{ role: 'user', content }], { signal })) {
        // Read to its end.
      }
    } catch (error) {
      return { answered, why: String(error) }
    }
  return { answered: most, why: '' }
}

it('answers 1,500 times', async () => {
  expect(await answersOf(new BudgetedModel(counting(1)), 'Hello?', 2_000)).toEqual({
    answered: 1_500,
    why: expect.stringContaining('1500 times'),
  })
})

it('reads ten million characters', async () => {
  expect(await answersOf(new BudgetedModel(counting(1)), 'x'.repeat(1_000_000), 20)).toEqual({
    answered: 10,
    why: expect.stringContaining('10000000 characters'),
  })
})

it('costs five dollars at most, and what was under way', async () => {
  const dear = { ...FREE, modelInputPerMillion: 1_000 }
  expect(await answersOf(new BudgetedModel(counting(1_000), dear), 'Hello?', 20)).toEqual({
    answered: 5,
    why: expect.stringContaining('5 US dollars'),
  })
  expect(await answersOf(new BudgetedModel(counting(1_000), FREE), 'Hello?', 20)).toMatchObject({
    answered: 20,
  })
})
