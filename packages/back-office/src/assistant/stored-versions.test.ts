import type { Assistant, ListAssistantVersions, UpdateAssistant } from '@heyline/platform-client'
import { expect, it } from 'vitest'
import { StoredVersions } from './stored-versions.js'

const prompt = (content: string, rest: object = {}) => ({
  model: { provider: 'openai', model: 'gpt-4.1', messages: [{ role: 'system', content }], ...rest },
})
const FIRST = { name: 'Ada', ...prompt('You help.'), maxDurationSeconds: 300 }
const SECOND = { ...FIRST, firstMessage: 'Good day.', server: { url: 'https://a.example', secret: 'hush' } }
const THIRD = { ...SECOND, ...prompt('You help with teeth.', { tools: [{ type: 'endCall' }] }) }
const FOURTH = { ...THIRD, name: 'Grace', maxDurationSeconds: 600 }

/** A platform that has kept these, the oldest first. Its pages go on after the number of a version, or by a token that says nothing. */
function keeping(states: object[], pages: 'numbered' | 'by token' = 'numbered') {
  const sent: UpdateAssistant[] = []
  const read: number[] = []
  const row = { id: 'a', orgId: 'o', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-02T00:00:00Z' }
  const assistants = {
    get: async () => ({ ...states.at(-1), ...row }) as Assistant,
    replace: async (_: string, settings: UpdateAssistant) => {
      sent.push(settings)
      return { ...settings, ...row } as Assistant
    },
    listVersions: async (_: string, { limit = 10, pageState }: ListAssistantVersions = {}) => {
      if (pageState !== undefined && pages === 'by token') throw new TypeError('A token of nobody')
      const kept = states
        .map((assistant, at) => ({ version: String(at + 1), createdAt: row.createdAt, assistant }))
        .reverse()
        .filter(({ version }) => pageState === undefined || Number(version) < Number(pageState))
      const results = kept.slice(0, limit)
      read.push(results.length)
      const last = results.at(-1)?.version
      return {
        results,
        metadata: { itemsPerPage: limit, totalItems: states.length, currentPage: 1 },
        ...(kept.length > limit && last && { nextPageState: pages === 'numbered' ? last : `after-${last}` }),
      }
    },
  }
  return { versions: new StoredVersions(assistants, 'a'), assistants, sent, read }
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

const speaking = (voice: object) => ({ ...FIRST, voice })
const OLD_SERVER = { url: 'https://old.example', secret: 'hush' }

it.each([
  ['voice.server', { server: OLD_SERVER }],
  ['voice.fallbackPlan', { fallbackPlan: { voices: [{ provider: 'custom-voice', server: OLD_SERVER }] } }],
  ['voice.speed', { speed: 1.2 }],
])('refuses an editor another %s, as a plain change of the voice leaves it', async (field, rest) => {
  const own = { provider: 'custom-voice', voiceId: 'a' }
  const now = { ...own, server: { url: 'https://new.example', secret: 'hush' } }
  for (const later of [now, own, { ...now, voiceId: 'b' }, { provider: 'openai', voiceId: 'b' }]) {
    const { versions, sent } = keeping([speaking({ ...own, ...rest }), speaking(later)])
    await expect(versions.restore('1', EDITOR)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(new RegExp(`another (.+, )?${field}.*, which editors do not change`)),
    })
    expect(sent).toEqual([])
    const { restores } = await versions.show('1')
    expect(restores).toContainEqual({ field, before: null, after: null })
    expect(JSON.stringify(restores)).not.toContain('hush')
    await versions.restore('1', OWNER)
    expect(sent).toEqual([speaking({ ...own, ...rest })])
  }
})

it('restores another voice for an editor, which takes nothing of the one before along, as a plain change', async () => {
  const [plain, server] = [{ provider: 'openai', voiceId: 'b' }, OLD_SERVER]
  const own = { provider: 'custom-voice', voiceId: 'a', server }
  for (const [old, now] of [
    [plain, own],
    [{ ...own, voiceId: 'c' }, own],
  ] as const) {
    const { versions, sent } = keeping([speaking(old), speaking(now)])
    expect(await versions.restore('1', EDITOR)).toMatchObject({ changed: ['voice'] })
    expect(sent).toEqual([speaking(old)])
  }
})

it('refuses an editor another server of the transcriber', async () => {
  const hearing = (url: string) => ({
    ...FIRST,
    transcriber: { provider: 'custom-transcriber', server: { url } },
  })
  const { versions, sent } = keeping([hearing('https://old.example'), hearing('https://new.example')])
  await expect(versions.restore('1', EDITOR)).rejects.toMatchObject({ code: 'forbidden' })
  expect(sent).toEqual([])
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

it.each([
  ['numbered', [1, 2], [1, 1]],
  ['by token', [1, 4], [1, 4]],
] as const)('reads no more than it needs where pages are %s', async (pages, ofShow, ofRestore) => {
  const { versions, read } = keeping([FIRST, SECOND, THIRD, FOURTH], pages)
  expect(await versions.show('2')).toMatchObject({
    changes: [{ field: 'firstMessage' }, { field: 'server' }],
    restores: [
      { field: 'name' },
      { field: 'prompt' },
      { field: 'maxDurationSeconds' },
      { field: 'model.tools' },
    ],
  })
  expect(read.splice(0)).toEqual(ofShow)
  expect(await versions.restore('2', OWNER)).toMatchObject({ version: '2', before: '4' })
  expect(read.splice(0)).toEqual(ofRestore)
})

it.each(['numbered', 'by token'] as const)(
  'knows the first and the last where pages are %s',
  async (pages) => {
    const { versions } = keeping([FIRST, SECOND, THIRD], pages)
    expect(await versions.show('3')).toMatchObject({ changes: [{}, {}], restores: [] })
    expect(await versions.show('1')).toMatchObject({ changes: null, restores: [{}, {}, {}, {}] })
    for (const missing of ['0', '4', '03', '99999999', '999999999', 'x'])
      await expect(versions.show(missing)).rejects.toMatchObject({ code: 'version_not_found' })
    expect(await keeping([FIRST], pages).versions.show('1')).toMatchObject({ changes: null, restores: [] })
    await expect(keeping([], pages).versions.show('1')).rejects.toMatchObject({ code: 'version_not_found' })
  },
)

it('reads all versions once for all who ask at the same moment, and again once there is another', async () => {
  const states: object[] = [FIRST, SECOND]
  const { versions, read } = keeping(states)
  const lists = await Promise.all([versions.list(), versions.list(), versions.list()])
  expect(lists.map((list) => list.versions.length)).toEqual([2, 2, 2])
  expect(read.splice(0)).toEqual([1, 1, 1, 2])
  expect(await versions.list()).toEqual(lists[0])
  expect(read.splice(0)).toEqual([1])
  states.push(THIRD)
  expect((await versions.list()).versions[0]).toMatchObject({ version: '3', isNow: true })
  expect(read).toEqual([1, 3])
})

it('asks again after a list that failed', async () => {
  const { assistants } = keeping([FIRST, SECOND])
  let isDown = true
  const listVersions: typeof assistants.listVersions = async (id, query) => {
    if (isDown && query?.limit !== 1) throw new TypeError('down')
    return assistants.listVersions(id, query)
  }
  const versions = new StoredVersions({ ...assistants, listVersions }, 'a')
  await expect(versions.list()).rejects.toThrow('down')
  isDown = false
  expect((await versions.list()).versions).toHaveLength(2)
})
