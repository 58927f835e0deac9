import { expect, vi } from 'vitest'
import { z } from 'zod'
import { ADA, BOB } from './official-bench.js'
import { keeps, needs, type Scenario } from './scenario.js'

const SLACK = 'slack.oauth2-authorization'
/** The account that signs webhooks is looked up once a second. */
const LOOKED_UP = { timeout: 5_000, interval: 100 }

/** Keys, people and help. */
export const ACCOUNTS: readonly Scenario[] = [
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
    async play(client, { nango, baseUrl }) {
      const shown = { provider: 'openai', name: 'Ours' }
      await keeps(client, {
        ...{ path: '/credential', body: { ...shown, apiKey: 'hush-hush' }, shown },
        ...{ change: { provider: 'openai', name: 'Mine' }, wrong: { name: 5 } },
      })
      const asked = { body: { provider: SLACK } }
      const action = { body: { action_name: 'post', input: { text: 'Bread' } } }
      const lacking = /needs the key of an account at Nango/
      await needs(client, 'POST /credential/session', asked, lacking)
      await needs(client, 'POST /credential/trigger', action, lacking)
      await vi.waitFor(() => needs(client, 'POST /credential/webhook', { body: {} }, lacking), LOOKED_UP)

      const { apiKey, webhookKey, url } = nango
      nango.integrations.add(SLACK)
      nango.actions.add('post')
      const account = await client.one('POST /credential', {
        body: { provider: 'nango', apiKey, webhookKey, url },
      })
      const session = z
        .object({ sessionToken: z.string() })
        .parse(await client.send('POST /credential/session', asked))
      const { connectionId, webhook } = nango.consent(session.sessionToken)
      await vi.waitFor(async () => {
        const told = await fetch(`${baseUrl}/credential/webhook`, nango.delivery(webhook))
        expect(told.status).toBe(200)
      }, LOOKED_UP)
      const [consent = ''] = await client.ids('GET /credential', { query: { limit: 1 } })
      expect(await client.one('GET /credential/{id}', { path: { id: consent } })).toMatchObject({
        provider: SLACK,
      })
      await client.send('POST /credential/trigger', action)
      expect(nango.done.at(-1)).toMatchObject({ connectionId, integration: SLACK, input: { text: 'Bread' } })
      expect((await client.refusal('POST /credential/webhook', { body: webhook })).status).toBe(401)
      for (const id of [consent, account.id]) await client.one('DELETE /credential/{id}', { path: { id } })
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
]
