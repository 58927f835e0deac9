import { expect } from 'vitest'
import { ADA, BOB } from './official-bench.js'
import { keeps, needs, type Scenario } from './scenario.js'

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
