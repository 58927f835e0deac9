import { expect } from 'vitest'
import { storePastCalls } from '../past-calls.js'
import type { JudgedClient } from './judged-client.js'
import { keeps, needs, type Scenario } from './scenario.js'

const MODEL = {
  provider: 'openai',
  model: 'gpt-4o-mini',
  messages: [{ role: 'system', content: 'You sell bread.' }],
}
export const BAKER = { name: 'Baker', firstMessage: 'Good morning!', model: MODEL }
export const baker = async (client: JudgedClient): Promise<string> =>
  (await client.one('POST /assistant', { body: BAKER })).id

const NODE = { type: 'conversation', name: 'start', isStart: true, prompt: 'Greet.' }

/** Those that talk, and what they talk with. */
export const SPEAKING: readonly Scenario[] = [
  {
    family: 'assistants',
    needs: 'POST /assistant',
    async play(client) {
      await keeps(client, {
        path: '/assistant',
        ...{ body: BAKER, change: { name: 'Bakery' }, wrong: { firstMessage: 5 } },
      })
      const id = await baker(client)
      if (client.has('PUT /assistant/{id}'))
        expect(
          await client.one('PUT /assistant/{id}', { path: { id }, body: { name: 'New' } }),
        ).toMatchObject({
          ...{ id, name: 'New' },
        })
      if (client.has('GET /v2/assistant'))
        expect(await client.ids('GET /v2/assistant', { query: { limit: 5, page: 1 } })).toContain(id)
      if (client.has('GET /assistant/{id}/version'))
        expect(await client.send('GET /assistant/{id}/version', { path: { id } })).toMatchObject({
          results: expect.arrayContaining([expect.objectContaining({ assistantId: id })]),
        })
    },
  },
  {
    family: 'squads',
    needs: 'POST /squad',
    async play(client) {
      const members = [{ assistantId: await baker(client) }]
      await keeps(client, {
        path: '/squad',
        ...{
          body: { name: 'Shop', members },
          change: { name: 'Shops', members },
          wrong: { name: 5, members },
        },
      })
    },
  },
  {
    family: 'workflows',
    needs: 'POST /workflow',
    async play(client) {
      await keeps(client, {
        ...{ path: '/workflow', hasNoWindow: true, body: { name: 'Steps', nodes: [NODE], edges: [] } },
        ...{ change: { name: 'More' }, wrong: { name: 5 } },
      })
      const asked = { assistantId: '00000000-0000-4000-8000-000000000000', toolIds: [] }
      expect((await client.refusal('POST /workflow/generate', { body: asked })).status).toSatisfy(
        (status) => status === 400 || status === 404,
      )
    },
  },
  {
    family: 'calls',
    needs: 'POST /call',
    async play(client, { db }) {
      const assistantId = await baker(client)
      const transport = { provider: 'vapi.websocket' }
      const call = await client.one('POST /call', { body: { assistantId, transport } })
      expect(call).toMatchObject({ assistantId, type: 'vapi.websocketCall' })
      const at = { path: { id: call.id } }
      expect(await client.one('PATCH /call/{id}', { ...at, body: { name: 'Morning' } })).toMatchObject({
        ...{ id: call.id, name: 'Morning' },
      })
      expect(await client.one('GET /call/{id}', at)).toMatchObject({ id: call.id, name: 'Morning' })
      expect((await client.refusal('DELETE /call/{id}', at)).status).toBe(400)
      if (client.has('POST /call/web'))
        expect(await client.one('POST /call/web', { body: { assistantId } })).toMatchObject({
          type: 'webCall',
        })
      const customer = { number: '+14155550100' }
      if (client.has('POST /call/phone')) {
        const number = { provider: 'twilio', number: '+14155550199' }
        const [stored] = await client.ids('GET /phone-number')
        const phoneNumberId = stored ?? (await client.one('POST /phone-number', { body: number })).id
        const body = { assistantId, phoneNumberId, customer }
        expect(await client.one('POST /call/phone', { body })).toMatchObject({ type: 'outboundPhoneCall' })
      }
      expect((await client.refusal('POST /call', { body: { customer: { number: 'x' } } })).status).toBe(400)

      const [id = ''] = await storePastCalls(db, [
        { at: '2026-01-05T10:00:00.000Z', seconds: 60, assistantId, type: 'outboundPhoneCall', customer },
      ])
      const query = { assistantId, createdAtLt: '2026-02-01T00:00:00.000Z' }
      expect(await client.ids('GET /call', { query })).toEqual([id])
      expect(await client.send('GET /v2/call', { query: { ...query, page: 1, limit: 10 } })).toMatchObject({
        results: [{ id, status: 'ended' }],
        metadata: { totalItems: 1, currentPage: 1, itemsPerPage: 10 },
      })
      if (client.has('GET /v2/call/metadata'))
        expect(await client.ids('GET /v2/call/metadata', { query })).toEqual([id])
      if (client.has('GET /v2/call/export'))
        expect(await client.text('GET /v2/call/export', { query })).toContain(id)
      expect(await client.one('DELETE /call/{id}', { path: { id } })).toMatchObject({ id })
      expect(await client.refusal('GET /call/{id}', { path: { id } })).toEqual({
        status: 404,
        message: expect.stringContaining(id),
      })
    },
  },
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
    family: 'campaigns',
    needs: 'POST /campaign',
    async play(client) {
      const hosted = /needs the hosted platform/
      const path = { id: '00000000-0000-4000-8000-000000000000' }
      const body = { name: 'May', phoneNumberId: path.id, customers: [{ number: '+14155550100' }] }
      await needs(client, 'POST /campaign', { body }, hosted)
      await needs(client, 'GET /campaign', {}, hosted)
      await needs(client, 'GET /campaign/paginated', {}, hosted)
      await needs(client, 'GET /campaign/{id}', { path }, hosted)
      await needs(client, 'PATCH /campaign/{id}', { path, body: { name: 'June' } }, hosted)
      await needs(client, 'DELETE /campaign/{id}', { path }, hosted)
    },
  },
]
