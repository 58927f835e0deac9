import { expect, vi } from 'vitest'
import { baker } from './baker.js'
import { keeps, type Scenario } from './scenario.js'

/** Conversations in writing, and tests of them. */
export const CHATS: readonly Scenario[] = [
  {
    family: 'chats',
    needs: 'POST /chat',
    async play(client) {
      const assistantId = await baker(client)
      const body = { assistantId, input: 'What does bread cost?' }
      const said = [{ role: 'assistant', content: 'Bread costs two dollars.' }]
      const { id } = await client.one('POST /chat', { body })
      expect(await client.one('GET /chat/{id}', { path: { id } })).toMatchObject({
        assistantId,
        output: said,
      })
      const next = await client.one('POST /chat', { body: { ...body, previousChatId: id } })
      expect(await client.ids('GET /chat', { query: { assistantId, limit: 5 } })).toEqual([next.id, id])
      const responses = { assistantId, input: 'And rolls?', stream: false }
      expect(await client.send('POST /chat/responses', { body: responses })).toMatchObject({
        object: 'response',
        output: [{ role: 'assistant', content: [{ type: 'output_text', text: said[0]?.content }] }],
      })
      if (client.streams) {
        const streamed = { ...body, stream: true }
        expect(await client.stream('POST /chat', { body: streamed })).toContainEqual(
          expect.objectContaining({ delta: 'Bread costs ' }),
        )
        expect(await client.stream('POST /chat/responses', { body: streamed })).toContainEqual(
          expect.objectContaining({ type: 'response.output_text.delta', delta: 'Bread costs ' }),
        )
      }
      expect(await client.one('DELETE /chat/{id}', { path: { id } })).toMatchObject({ id })
      expect((await client.refusal('GET /chat/{id}', { path: { id } })).status).toBe(404)
      expect((await client.refusal('POST /chat', { body: { assistantId } })).status).toBe(400)
    },
  },
  {
    family: 'chats of pages',
    needs: 'POST /chat/web',
    async play(client) {
      const body = { assistantId: await baker(client), input: 'What does bread cost?' }
      expect(await client.one('POST /chat/web', { body })).toMatchObject({
        output: [{ role: 'assistant', content: 'Bread costs two dollars.' }],
      })
      expect(
        await client.send('POST /chat/web/responses', { body: { ...body, stream: false } }),
      ).toMatchObject({ object: 'response' })
      const someone = { ...body, assistantId: '00000000-0000-4000-8000-000000000000' }
      expect((await client.refusal('POST /chat/web', { body: someone })).status).toBeOneOf([400, 404])
    },
  },
  {
    family: 'sessions',
    needs: 'POST /session',
    play: (client) =>
      keeps(client, {
        ...{ path: '/session', body: { name: 'May', expirationSeconds: 60 } },
        ...{ change: { name: 'June', status: 'completed' }, wrong: { status: 'gone' } },
      }),
  },
  {
    family: 'test suites',
    needs: 'POST /test-suite',
    async play(client) {
      await keeps(client, {
        ...{ path: '/test-suite', body: { name: 'May' }, change: { name: 'June' }, wrong: { name: 5 } },
      })
      const targetPlan = { assistantId: await baker(client) }
      const { id } = await client.one('POST /test-suite', { body: { name: 'May', targetPlan } })
      const within = { testSuiteId: id }
      const test = {
        ...{ type: 'voice', name: 'Price', script: 'Ask what bread costs.', numAttempts: 1 },
        scorers: [{ type: 'ai', rubric: 'It names the price.' }],
      }
      const path = '/test-suite/{testSuiteId}/test'
      const change = { type: 'voice', name: 'Prices' }
      await keeps(client, { path, within, body: test, change, wrong: { ...change, numAttempts: 0 } })
      await client.one(`POST ${path}`, { path: within, body: test })
      const runs = '/test-suite/{testSuiteId}/run'
      const run = await client.one(`POST ${runs}`, { path: within, body: { name: 'First' } })
      const at = { path: { ...within, id: run.id } }
      await vi.waitFor(async () =>
        expect(await client.one(`GET ${runs}/{id}`, at)).toMatchObject({
          status: 'completed',
          testResults: [{ attempts: [{ scorerResults: [{ result: 'pass' }] }] }],
        }),
      )
      expect(await client.ids(`GET ${runs}`, { path: within })).toEqual([run.id])
      const renamed = { ...at, body: { name: 'Second' } }
      expect(await client.one(`PATCH ${runs}/{id}`, renamed)).toMatchObject({ name: 'Second' })
      expect(await client.one(`DELETE ${runs}/{id}`, at)).toMatchObject({ id: run.id })
      expect((await client.refusal(`GET ${runs}/{id}`, at)).status).toBe(404)
    },
  },
]
