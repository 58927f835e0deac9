import { expect } from 'vitest'
import { storePastCalls } from '../past-calls.js'
import { baker } from './baker.js'
import { ADA } from './official-bench.js'
import { keeps, needs, type Scenario } from './scenario.js'

/** Calls, and what is known of them. */
export const CALLS: readonly Scenario[] = [
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
    family: 'campaigns',
    needs: 'POST /campaign',
    async play(client) {
      const assistantId = await baker(client)
      const given = { provider: 'twilio', number: '+14155550114' }
      const { id: phoneNumberId } = await client.one('POST /phone-number', { body: given })
      const plan = { name: 'May', assistantId, phoneNumberId }
      const customers = [{ number: '+14155550100', name: 'Ada' }]
      await keeps(client, {
        ...{ path: '/campaign', body: { ...plan, customers }, shown: plan },
        ...{ change: { name: 'June' }, wrong: { name: 5 } },
      })
      if (client.has('GET /campaign/paginated'))
        expect(await client.send('GET /campaign/paginated', { query: { limit: 5 } })).toMatchObject({
          metadata: { currentPage: 1, itemsPerPage: 5 },
        })
      await client.one('DELETE /phone-number/{id}', { path: { id: phoneNumberId } })
    },
  },
  {
    family: 'phone numbers',
    needs: 'POST /phone-number',
    async play(client) {
      const given = { provider: 'twilio', number: '+14155550111' }
      await keeps(client, {
        ...{ path: '/phone-number', body: { ...given, name: 'Shop' }, shown: given },
        ...{ change: { name: 'Shops' }, wrong: { name: 5 } },
      })
      if (client.has('GET /v2/phone-number'))
        expect(await client.send('GET /v2/phone-number', { query: { limit: 5 } })).toMatchObject({
          metadata: { currentPage: 1, itemsPerPage: 5 },
        })
      if (client.has('POST /phone-number/import/twilio')) {
        const twilioPhoneNumber = '+14155550112'
        const body = { twilioPhoneNumber, twilioAccountSid: 'AC1', twilioAuthToken: 'secret' }
        const { id } = await client.one('POST /phone-number/import/twilio', { body })
        await client.one('DELETE /phone-number/{id}', { path: { id } })
      }
      await needs(client, 'POST /phone-number', { body: { provider: 'vapi' } }, /Twilio/)
      const vonage = { vonagePhoneNumber: '+14155550113', credentialId: ADA }
      await needs(client, 'POST /phone-number/import/vonage', { body: vonage }, /not served/)
    },
  },
  {
    family: 'analytics',
    needs: 'POST /analytics',
    async play(client) {
      const query = { table: 'call', name: 'all', operations: [{ operation: 'count', column: 'id' }] }
      expect(await client.send('POST /analytics', { body: { queries: [query] } })).toMatchObject([
        { name: 'all', result: [{ countid: expect.anything() }] },
      ])
      const wrong = { queries: [{ ...query, table: 'nothing' }] }
      expect((await client.refusal('POST /analytics', { body: wrong })).status).toBe(400)
    },
  },
  {
    family: 'logs',
    needs: 'GET /logs',
    async play(client) {
      const assistantId = await baker(client)
      const transport = { provider: 'vapi.websocket' }
      const { id: callId } = await client.one('POST /call', { body: { assistantId, transport } })
      expect(await client.send('GET /logs', { query: { type: 'API', limit: 5 } })).toMatchObject({
        results: expect.arrayContaining([expect.objectContaining({ type: 'API' })]),
        metadata: { currentPage: 1, itemsPerPage: 5 },
      })
      expect(await client.send('GET /log', { query: { callId } })).toMatchObject({
        metadata: { currentPage: 1 },
      })
      await client.send('DELETE /log', { query: { callId } })
      await client.send('DELETE /logs', { query: { assistantId } })
      expect((await client.refusal('GET /logs', { query: { limit: -1 } })).status).toBe(400)
    },
  },
]
