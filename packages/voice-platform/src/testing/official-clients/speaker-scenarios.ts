import { expect } from 'vitest'
import { BAKER, baker } from './baker.js'
import { keeps, type Scenario } from './scenario.js'

const NODE = { type: 'conversation', name: 'start', isStart: true, prompt: 'Greet.' }

/** Who talks, and by which steps. */
export const SPEAKERS: readonly Scenario[] = [
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
]
