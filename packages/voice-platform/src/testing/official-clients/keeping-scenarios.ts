import { expect, vi } from 'vitest'
import { z } from 'zod'
import { ADA, BOB } from './official-bench.js'
import { keeps, needs, type Scenario } from './scenario.js'
import { baker } from './speaking-scenarios.js'

const TOOL = { type: 'function', function: { name: 'price', description: 'What it costs' } }
const text = () => new File(['We sell bread.'], 'bread.txt', { type: 'text/plain' })

/** What is kept beside them: files, keys, tests, people, figures. */
export const KEEPING: readonly Scenario[] = [
  {
    family: 'tools',
    needs: 'POST /tool',
    play: (client) =>
      keeps(client, {
        ...{ path: '/tool', body: TOOL, wrong: { function: 5 } },
        change: { function: { name: 'prices', description: 'What all costs' } },
      }),
  },
  {
    family: 'files',
    needs: 'POST /file',
    async play(client) {
      const kept = { hasNoWindow: true, shown: { name: 'bread.txt' }, change: { name: 'rolls.txt' } }
      await keeps(client, { path: '/file', body: { file: text() }, wrong: { name: '' }, ...kept })
      const made = await client.one('POST /file', { body: { file: text() } })
      const { url } = z.object({ url: z.url() }).parse(made)
      expect(await (await fetch(url)).text()).toBe('We sell bread.')
      if (client.has('POST /file/upload'))
        expect(await client.one('POST /file/upload', { body: { file: text() } })).toMatchObject(kept.shown)
      const empty = new File([], 'empty.txt', { type: 'text/plain' })
      expect((await client.refusal('POST /file', { body: { file: empty } })).status).toBe(400)
    },
  },
  {
    family: 'knowledge bases',
    needs: 'POST /knowledge-base',
    async play(client) {
      const { id } = await client.one('POST /file', { body: { file: text() } })
      await keeps(client, {
        ...{ path: '/knowledge-base', body: { provider: 'canonical', name: 'Bread', fileIds: [id] } },
        ...{ change: { name: 'Rolls' }, wrong: { fileIds: 5 } },
      })
      await needs(
        client,
        'POST /knowledge-base',
        { body: { provider: 'trieve', name: 'Other' } },
        /canonical/,
      )
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
    family: 'templates',
    needs: 'POST /template',
    async play(client) {
      const one = { type: 'tool', name: 'Price', provider: 'make' }
      await keeps(client, {
        ...{ path: '/template', body: [one], shown: one },
        ...{ change: { type: 'tool', name: 'Prices' }, wrong: { type: 'tool', visibility: 'some' } },
      })
      const pinned = await client.one('POST /template', { body: [{ ...one, visibility: 'public' }] })
      expect(await client.ids('GET /template/pinned')).toContain(pinned.id)
    },
  },
  {
    family: 'tokens',
    needs: 'POST /token',
    play: (client) =>
      keeps(client, {
        ...{ path: '/token', body: { name: 'Ours', tag: 'private' } },
        ...{ change: { name: 'Mine' }, wrong: { name: 5 } },
      }),
  },
  {
    family: 'credentials',
    needs: 'POST /credential',
    async play(client) {
      const shown = { provider: 'openai', name: 'Ours' }
      await keeps(client, {
        ...{ path: '/credential', body: { ...shown, apiKey: 'hush-hush' }, shown },
        ...{ change: { provider: 'openai', name: 'Mine' }, wrong: { name: 5 } },
      })
      const hosted = /needs the hosted platform/
      await needs(client, 'POST /credential/session', { body: { provider: 'google' } }, hosted)
      await needs(client, 'POST /credential/trigger', { body: { name: 'x', provider: 'y' } }, hosted)
      await needs(client, 'POST /credential/webhook', { body: {} }, hosted)
    },
  },
  {
    family: 'support tickets',
    needs: 'POST /support/ticket',
    async play(client) {
      const body = { category: 'others', subject: 'Bread', message: 'There is no bread left.' }
      await client.send('POST /support/ticket', { body })
      const refused = await client.refusal('POST /support/ticket', { body: { ...body, message: 'Short' } })
      expect(refused).toEqual({ status: 400, message: expect.stringContaining('message') })
    },
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
  {
    family: 'organisation',
    needs: 'GET /org',
    async play(client, { done }) {
      const [id = ''] = await client.ids('GET /org')
      const at = { path: { id } }
      expect(await client.one('PATCH /org/{id}', { ...at, body: { name: 'Bakery' } })).toMatchObject({ id })
      expect(await client.one('GET /org/{id}', at)).toMatchObject({ id, name: 'Bakery' })
      expect(await client.ids('GET /org/{id}/user', at)).toEqual([ADA, BOB])
      done.length = 0
      await client.send('POST /org/{id}/invite', {
        ...at,
        body: { emails: ['eve@example.com'], role: 'viewer' },
      })
      await client.send('PATCH /org/{id}/role', { ...at, body: { userId: BOB, role: 'editor' } })
      await client.send('DELETE /org/{id}/member/{memberId}/leave', { path: { id, memberId: BOB } })
      expect(done).toEqual(['invites eve@example.com as viewer', `makes ${BOB} editor`, `removes ${BOB}`])
      expect(await client.send('GET /org/{id}/auth', at)).toMatchObject({ accessToken: expect.any(String) })
      expect((await client.refusal('DELETE /org/{id}/leave', at)).status).toBe(400)
      expect((await client.refusal('GET /org/{id}', { path: { id: ADA } })).status).toBe(404)
      await needs(client, 'POST /org', { body: { name: 'Second' } }, /one organisation/)
      await needs(client, 'DELETE /org/{id}', at, /./)
    },
  },
  {
    family: 'voice library',
    needs: 'GET /voice-library/{provider}',
    async play(client) {
      const path = { provider: 'flite' }
      expect(await client.ids('GET /voice-library/{provider}', { path })).not.toEqual([])
      await client.send('GET /voice-library/{provider}/accents', { path })
      const hosted = /needs the hosted platform/
      const body = { voiceName: 'Ada', transcription: 'Hello' }
      await needs(client, 'POST /voice-library/create-sesame-voice', { body }, hosted)
      await needs(client, 'POST /voice-library/sync', { body: { providers: '11labs' } }, /ElevenLabs/)
      const elsewhere = { path: { provider: '11labs' } }
      await needs(client, 'POST /voice-library/sync/{provider}', elsewhere, /ElevenLabs/)
    },
  },
  {
    family: 'third parties',
    needs: 'GET /{provider}/workflows',
    async play(client) {
      const make = { provider: 'make' }
      await needs(client, 'GET /{provider}/workflows', { path: make }, /needs .*Make/)
      const hooks = { path: { ...make, workflowId: '9' } }
      await needs(client, 'GET /{provider}/workflows/{workflowId}/hooks', hooks, /needs .*Make/)
      await needs(client, 'GET /{provider}/locations', { path: { provider: 'ghl' } }, /needs .*GoHighLevel/)
      const path = { provider: '11labs' }
      const body = { ownerId: 'o1', voiceId: 'v1', name: 'Ada' }
      for (const found of ['voice', 'voices']) {
        await needs(
          client,
          `GET /{provider}/${found}/search`,
          { path, query: { name: 'bo' } },
          /needs .*ElevenLabs/,
        )
        await needs(client, `POST /{provider}/${found}/add`, { path, body }, /needs .*ElevenLabs/)
      }
      const sound = new File(['sound'], 'me.wav', { type: 'audio/wav' })
      await needs(client, 'POST /11labs/voice/clone', { body: { name: 'Me', files: [sound] } }, /ElevenLabs/)
    },
  },
]
