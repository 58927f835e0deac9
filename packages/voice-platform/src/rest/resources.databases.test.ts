import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'

describe.each(PLATFORM_DBS)('the real client on %s', (kind) => {
  let db: Db
  let bench: PlatformBench
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    bench = await startPlatform(db)
  })
  afterAll(async () => {
    await bench.close()
    await db.close()
  })
  const missing = crypto.randomUUID()
  const isMissing = (request: Promise<unknown>) =>
    expect(request).rejects.toMatchObject({ status: 404, message: expect.stringContaining(missing) })

  describe('assistants', () => {
    it('are read, changed setting by setting, replaced, and deleted', async () => {
      const { assistants } = bench.client
      const made = await assistants.create({
        name: 'Bakery',
        firstMessage: 'Hello.',
        model: { provider: 'openai', model: 'gpt-4o', maxTokens: 100 },
      })
      expect(await assistants.get(made.id)).toEqual(made)
      const changed = await assistants.update(made.id, {
        model: { provider: 'openai', model: 'gpt-4o-mini' },
      })
      expect(changed).toEqual({
        ...made,
        model: { provider: 'openai', model: 'gpt-4o-mini' },
        updatedAt: changed.updatedAt,
      })
      const replaced = await assistants.replace(made.id, { firstMessage: 'Good day.' })
      expect(replaced).toEqual({
        id: made.id,
        orgId: made.orgId,
        createdAt: made.createdAt,
        updatedAt: replaced.updatedAt,
        firstMessage: 'Good day.',
      })
      expect(await assistants.delete(made.id)).toEqual(replaced)
      await expect(assistants.get(made.id)).rejects.toMatchObject({ status: 404 })
    })

    it('keep what they were, page by page, and go back to it', async () => {
      const { assistants } = bench.client
      const { id } = await assistants.create({ firstMessage: 'one' })
      await assistants.update(id, { name: 'Two' })
      await assistants.update(id, { name: 'Two' })
      await assistants.replace(id, { firstMessage: 'three' })
      const first = await assistants.listVersions(id, { limit: 2 })
      expect(first.results.map(({ version, assistant }) => [version, assistant])).toEqual([
        ['3', { firstMessage: 'three' }],
        ['2', { firstMessage: 'one', name: 'Two' }],
      ])
      expect(first.metadata).toMatchObject({ itemsPerPage: 2, totalItems: 3, currentPage: 1 })
      const rest = await assistants.listVersions(id, { limit: 2, pageState: first.nextPageState ?? '' })
      expect(rest.results).toEqual([
        { assistantId: id, version: '1', createdAt: expect.any(String), assistant: { firstMessage: 'one' } },
      ])
      expect(rest.nextPageState).toBeUndefined()
      const restore = (version: string) =>
        bench.request('POST', `/assistant/${id}/version/${version}/restore`)
      expect((await restore('2')).status).toBe(200)
      expect(await assistants.get(id)).toMatchObject({ firstMessage: 'one', name: 'Two' })
      expect((await assistants.listVersions(id)).results[0]).toMatchObject({ version: '4' })
      expect((await restore('9')).status).toBe(404)
      expect((await restore('x')).status).toBe(400)
      await isMissing(assistants.listVersions(missing))
    })

    it('keep fifty versions', async () => {
      const { assistants } = bench.client
      const { id } = await assistants.create({ firstMessage: '0' })
      await db.query(
        `do $$ begin for n in 1..60 loop
           update voice_platform.assistants set settings = jsonb_build_object('firstMessage', n::text) where id = '${id}'; end loop; end $$`,
      )
      const { metadata, results } = await assistants.listVersions(id, { limit: 50 })
      expect(metadata.totalItems).toBe(50)
      expect([results[0]?.version, results.at(-1)?.version]).toEqual(['61', '12'])
    })

    it('that are not there answer 404', async () => {
      const { assistants } = bench.client
      await isMissing(assistants.get(missing))
      await isMissing(assistants.update(missing, {}))
      await isMissing(assistants.replace(missing, {}))
      await isMissing(assistants.delete(missing))
    })

    it('are changed within the limits of those that are made', async () => {
      const { id } = await bench.client.assistants.create({})
      for (const method of ['PATCH', 'PUT']) {
        const response = await bench.request(method, `/assistant/${id}`, {
          name: 'x'.repeat(41),
          nonsense: 1,
        })
        expect(response.status).toBe(400)
        expect((await response.json()).message).toHaveLength(2)
      }
    })

    it('come page by page, in the order that is asked for', async () => {
      const names = ['One', 'Two', 'Three', 'Four', 'Five']
      const [first] = [await bench.client.assistants.create({ name: 'One' })]
      for (const name of names.slice(1)) await bench.client.assistants.create({ name })
      const window = { createdAtGe: first.createdAt, limit: 2 }
      const page = await bench.client.assistants.listPage({ ...window, page: 2, sortOrder: 'ASC' })
      expect(page.results).toHaveLength(2)
      expect(page.metadata).toEqual({
        itemsPerPage: 2,
        totalItems: 5,
        currentPage: 2,
        totalPages: 3,
        hasNextPage: true,
        sortOrder: 'ASC',
      })
      const all = []
      for await (const { name } of bench.client.assistants.pages(window)) all.push(name)
      expect(all.sort()).toEqual(names.sort())
    })
  })

  describe('calls', () => {
    const ended = async (name: string) => {
      const { assistantId } = await bench.platform.defaults()
      const { id } = await bench.client.calls.create({
        assistantId,
        name,
        customer: { number: '+12025550102', name },
      })
      await vi.waitFor(async () => expect((await bench.client.calls.get(id)).status).toBe('ended'), 5_000)
      return id
    }

    it('are renamed, and deleted once they have ended', async () => {
      const { calls } = bench.client
      const { id } = await calls.createWeb({ assistant: {} })
      expect(await calls.update(id, { name: 'A visitor' })).toMatchObject({ id, name: 'A visitor' })
      await expect(calls.delete(id)).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/not ended/),
      })
      const over = await ended('Busy')
      expect(await calls.delete(over)).toMatchObject({ id: over, status: 'ended', name: 'Busy' })
      await expect(calls.get(over)).rejects.toMatchObject({ status: 404 })
    })

    it('that are not there answer 404', async () => {
      const { calls } = bench.client
      await isMissing(calls.get(missing))
      await isMissing(calls.update(missing, { name: 'x' }))
      await isMissing(calls.delete(missing))
    })

    it('have a name of 40 characters at most, and nothing else is changed', async () => {
      const { id } = await bench.client.calls.createWeb({ assistant: {} })
      const refusal = async (body: object) => (await bench.request('PATCH', `/call/${id}`, body)).status
      expect(await refusal({ name: 'x'.repeat(41) })).toBe(400)
      expect(await refusal({ status: 'ended' })).toBe(400)
    })

    it('come page by page, narrowed by what they were', async () => {
      const { calls } = bench.client
      const [one, two] = [await ended('First'), await ended('Second')]
      const found = async (query: Parameters<typeof calls.listPage>[0]) =>
        (await calls.listPage(query)).results.map(({ id }) => id).sort()
      expect(await found({ idAny: [one, two] })).toEqual([one, two].sort())
      expect(await found({ idAny: [one] })).toEqual([one])
      expect(await found({ name: 'Second', number: '+12025550102' })).toEqual([two])
      expect(await found({ name: 'Second', number: '+12025550101' })).toEqual([])
      expect(await found({ endedReason: 'customer-busy', id: one })).toEqual([one])
      expect(await found({ endedReason: 'voicemail', id: one })).toEqual([])
      expect(await found({ idAny: [one, two], cost: 0 })).toEqual([one, two].sort())
      expect(await found({ idAny: [one, two], costGe: 0.01 })).toEqual([])
      expect((await bench.request('GET', '/v2/call?cost=much')).status).toBe(400)
      expect((await bench.request('GET', '/v2/call?page=0')).status).toBe(400)
    }, 10_000)

    it('come without their words where only metadata is asked for', async () => {
      const { id } = await bench.client.calls.createWeb({ assistant: { firstMessage: 'Hello.' } })
      const { results } = await bench.client.calls.listMetadata({ id })
      expect(results).toMatchObject([{ id, type: 'webCall' }])
      for (const large of ['assistant', 'messages', 'transcript', 'artifact'])
        expect(results[0]).not.toHaveProperty(large)
    })

    it('are placed at the older address, too', async () => {
      const { assistantId } = await bench.platform.defaults()
      const call = await bench.client.calls.createPhone({ assistantId, customer: { number: '+12025550102' } })
      expect(call).toMatchObject({ type: 'outboundPhoneCall', assistantId })
    })
  })

  it('with the public key does none of it', async () => {
    for (const [method, path] of [
      ['GET', `/assistant/${missing}`],
      ['PATCH', `/assistant/${missing}`],
      ['PUT', `/assistant/${missing}`],
      ['DELETE', `/assistant/${missing}`],
      ['GET', '/v2/assistant'],
      ['GET', '/v2/call'],
      ['GET', '/v2/call/metadata'],
      ['POST', '/call/phone'],
      ['PATCH', `/call/${missing}`],
      ['DELETE', `/call/${missing}`],
    ] as const) {
      const body = method === 'PATCH' || method === 'PUT' || method === 'POST' ? {} : undefined
      expect((await bench.request(method, path, body, KEYS.public)).status).toBe(401)
    }
  })

  it('lists what is large a few at a time, and never all of it at once', async () => {
    await db.query(
      `insert into voice_platform.resources (id, family, settings)
       select gen_random_uuid(), 'template', jsonb_build_object('name', n, 'details', repeat('x', 900000)) from generate_series(1, 9) n`,
    )
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${KEYS.private}` }
      const answer = await bench.platform.fetch(new Request(`http://platform${path}`, { headers }))
      return [answer.status, await answer.json()]
    }
    const refused = [400, { message: expect.stringContaining('ask for fewer at a time, with limit') }]
    expect(await ask('/template')).toMatchObject(refused)
    const [status, listed] = await ask('/template?limit=8')
    expect([status, listed.length]).toEqual([200, 8])
  })
})
