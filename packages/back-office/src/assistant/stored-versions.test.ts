import type { Assistant, UpdateAssistant } from '@heyline/platform-client'
import { expect, it } from 'vitest'
import { StoredVersions } from './stored-versions.js'

const prompt = (content: string, rest: object = {}) => ({
  model: { provider: 'openai', model: 'gpt-4.1', messages: [{ role: 'system', content }], ...rest },
})
const FIRST = { name: 'Ada', ...prompt('You help.'), maxDurationSeconds: 300 }
const SECOND = { ...FIRST, firstMessage: 'Good day.', server: { url: 'https://a.example', secret: 'hush' } }
const THIRD = { ...SECOND, ...prompt('You help with teeth.', { tools: [{ type: 'endCall' }] }) }
const FOURTH = { ...THIRD, name: 'Grace', maxDurationSeconds: 600 }

/** A platform that has kept these, the oldest first. */
function keeping(states: object[]) {
  const sent: UpdateAssistant[] = []
  const row = { id: 'a', orgId: 'o', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-02T00:00:00Z' }
  const assistants = {
    get: async () => ({ ...states.at(-1), ...row }) as Assistant,
    replace: async (_: string, settings: UpdateAssistant) => {
      sent.push(settings)
      return { ...settings, ...row } as Assistant
    },
    listVersions: async () => ({
      results: states
        .map((assistant, at) => ({ version: String(at + 1), createdAt: row.createdAt, assistant }))
        .reverse(),
      metadata: { itemsPerPage: 50, totalItems: states.length, currentPage: 1 },
    }),
  }
  return { versions: new StoredVersions(assistants, 'a'), assistants, sent }
}

const OWNER = { mayChangeAll: true, keepsLimits: true }
const EDITOR = { mayChangeAll: false, keepsLimits: true }

it('lists what each version changed, by its name', async () => {
  const { versions } = await keeping([FIRST, SECOND, THIRD, FOURTH]).versions.list()
  expect(versions.map(({ version, isNow, changed }) => [version, isNow, changed])).toEqual([
    ['4', true, ['name', 'maxDurationSeconds']],
    ['3', false, ['prompt', 'model.tools']],
    ['2', false, ['firstMessage', 'server']],
    ['1', false, null],
  ])
})

it('shows the texts that operators see, and no others', async () => {
  const shown = await keeping([FIRST, SECOND, THIRD]).versions.show('2')
  expect(shown.changes).toEqual([
    { field: 'firstMessage', before: '', after: 'Good day.' },
    { field: 'server', before: null, after: null },
  ])
  expect(shown.restores).toEqual([
    { field: 'prompt', before: 'You help with teeth.', after: 'You help.' },
    { field: 'model.tools', before: null, after: null },
  ])
  expect(JSON.stringify(shown)).not.toContain('hush')
})

it('restores all but the limits for an owner, and names what undoes it', async () => {
  const { versions, sent } = keeping([FIRST, SECOND, THIRD, FOURTH])
  const restored = await versions.restore('2', OWNER)
  expect(restored).toMatchObject({
    ...{ version: '2', before: '4', changed: ['name', 'prompt', 'model.tools'] },
    assistant: { name: 'Ada', prompt: 'You help.', limits: { maxDurationSeconds: 600 } },
  })
  expect(sent).toEqual([{ ...SECOND, maxDurationSeconds: 600 }])
})

it('restores limits, too, for the holder of the secret key', async () => {
  const { versions, sent } = keeping([FIRST, FOURTH])
  await versions.restore('1', { mayChangeAll: true, keepsLimits: false })
  expect(sent).toEqual([FIRST])
})

it('restores texts for an editor, and refuses what only an owner changes', async () => {
  const { versions, sent } = keeping([FIRST, SECOND, { ...SECOND, firstMessage: 'Hello.' }])
  await expect(versions.restore('1', EDITOR)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('another server, which editors do not change'),
  })
  expect(sent).toEqual([])
  expect(await versions.restore('2', EDITOR)).toMatchObject({ changed: ['firstMessage'] })
})

it('changes nothing where nothing is different, and knows which versions there are', async () => {
  const { versions, sent } = keeping([FIRST, SECOND])
  expect(await versions.restore('2', EDITOR)).toMatchObject({ changed: [], before: '2' })
  await expect(versions.restore('9', EDITOR)).rejects.toMatchObject({ code: 'version_not_found' })
  expect(sent).toEqual([])
})

it('says where a hosted platform has versions of another form', async () => {
  const { assistants } = keeping([])
  const metadata = { itemsPerPage: 50, totalItems: 1, currentPage: 1 }
  const hosted = { ...assistants, listVersions: async () => ({ results: [{ rev: 1 }], metadata }) }
  await expect(new StoredVersions(hosted, 'a').list()).rejects.toMatchObject({ code: 'not_supported' })
})
