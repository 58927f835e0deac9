import { expect } from 'vitest'
import { z } from 'zod'
import { keeps, needs, type Scenario } from './scenario.js'

const TOOL = { type: 'function', function: { name: 'price', description: 'What it costs' } }
const text = () => new File(['We sell bread.'], 'bread.txt', { type: 'text/plain' })

/** What assistants use, and voices. */
export const SHELVES: readonly Scenario[] = [
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
