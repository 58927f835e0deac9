import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { jsonListAnswer } from './json-list.js'

async function* inParts(parts: readonly (readonly string[])[]) {
  yield* parts
}

function answerOf(items: AsyncIterable<readonly string[]>, before = '', after = '') {
  const failed = vi.fn()
  const app = new Hono().get('/', (context) => jsonListAnswer(context, { before, after, items, failed }))
  return { answer: app.request('/'), failed }
}

describe('a JSON list that is written while it is read', () => {
  it.each<[string[][], string, string, unknown]>([
    [[], '', '', []],
    [[['1', '2'], ['{"id":3}']], '', '', [1, 2, { id: 3 }]],
    [[[], ['1'], [], ['2']], '{"results":', ',"metadata":{}}', { results: [1, 2], metadata: {} }],
  ])('has %j', async (parts, before, after, expected) => {
    const answer = await answerOf(inParts(parts), before, after).answer
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual(expected)
  })

  it('breaks off where its items fail, and tells of it', async () => {
    async function* broken() {
      yield ['1']
      throw new Error('the database went away')
    }
    const { answer, failed } = answerOf(broken())
    await expect((await answer).text()).rejects.toThrow('the database went away')
    expect(failed).toHaveBeenCalledTimes(1)
  })
})
