import type { Db } from '@heyline/database'
import { PlatformClient } from '@heyline/platform-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'

const ORIGIN = 'https://pages.example'
const assistant = { firstMessage: 'Hello.' }

describe.each(PLATFORM_DBS)('tokens on %s', (kind) => {
  let db: Db
  let bench: PlatformBench
  let tokens: PlatformClient['tokens']
  let assistantId: string
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    bench = await startPlatform(db)
    tokens = bench.client.tokens
    assistantId = (await bench.client.assistants.create(assistant)).id
  })
  afterAll(async () => {
    await bench.close()
    await db.close()
  })

  const start = (value: string, body: object, origin?: string) =>
    bench.platform.fetch(
      new Request('http://platform/call/web', {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, ...(origin !== undefined && { origin }) },
        body: JSON.stringify(body),
      }),
    )
  const statusOf = async (...request: Parameters<typeof start>) => (await start(...request)).status

  it('are made, read, changed, listed and deleted', async () => {
    const restrictions = { allowedOrigins: [ORIGIN] }
    const made = await tokens.create({ tag: 'public', name: 'The page', restrictions })
    expect(made).toMatchObject({ tag: 'public', name: 'The page', restrictions, id: expect.any(String) })
    const { value, ...rest } = made
    const shown = { ...rest, value: `••••${value.slice(-4)}` }
    expect(await tokens.get(made.id)).toEqual(shown)
    expect(await tokens.list({ createdAtGe: made.createdAt })).toContainEqual(shown)
    const changed = await tokens.update(made.id, { name: 'Another' })
    expect(changed).toMatchObject({ tag: 'public', name: 'Another', restrictions, value: shown.value })
    expect(await tokens.update(made.id, { restrictions: { enabled: false } })).toMatchObject({
      restrictions: { enabled: false },
    })
    expect(await tokens.delete(made.id)).toMatchObject({ id: made.id, name: 'Another' })
    for (const gone of [tokens.get, (id: string) => tokens.update(id, {}), tokens.delete])
      await expect(gone(made.id)).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining(made.id),
      })
  })

  it('are in the database as hashes only', async () => {
    const { value } = await tokens.create({})
    const { rows } = await db.query<{ row: string }>(
      'select tokens::text as row from voice_platform.tokens where value_end = $1',
      [value.slice(-4)],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(value.slice(0, 20))
  })

  it('with the tag private do everything, for the real client', async () => {
    const made = await tokens.create({ restrictions: { allowedOrigins: [ORIGIN] } })
    expect(made.tag).toBe('private')
    const client = new PlatformClient({
      token: made.value,
      baseUrl: 'http://platform',
      fetch: (input, init) => bench.platform.fetch(new Request(input, init)),
    })
    const { id } = await client.assistants.create({ name: 'By a token' })
    expect((await client.calls.createWeb({ assistantId: id })).assistantId).toBe(id)
    await client.tokens.delete(made.id)
    await expect(client.calls.list()).rejects.toMatchObject({ status: 401 })
  })

  it('with the tag public start web calls and do nothing else', async () => {
    const { id, value } = await tokens.create({ tag: 'public' })
    expect(await statusOf(value, { assistantId })).toBe(201)
    for (const [method, path] of [
      ['GET', '/call'],
      ['POST', '/call'],
      ['GET', '/assistant'],
      ['GET', '/token'],
      ['POST', '/token'],
      ['PATCH', `/token/${id}`],
      ['DELETE', `/token/${id}`],
    ] as const) {
      const body = method === 'POST' || method === 'PATCH' ? { tag: 'private' } : undefined
      expect((await bench.request(method, path, body, value)).status).toBe(401)
      expect((await bench.request(method, path, body, KEYS.public)).status).toBe(401)
    }
  })

  it('start no call to a server of the request’s own', async () => {
    const { value } = await tokens.create({ tag: 'public', restrictions: { allowTransientAssistant: true } })
    const server = { url: 'https://elsewhere.example' }
    expect(await statusOf(value, { assistant })).toBe(201)
    expect(await statusOf(value, { assistant: { ...assistant, server } })).toBe(403)
  })

  it('that are not enabled do nothing, whatever their tag', async () => {
    for (const tag of ['public', 'private'] as const) {
      const { id, value } = await tokens.create({ tag, restrictions: { enabled: false } })
      expect(await statusOf(value, { assistantId })).toBe(401)
      await tokens.update(id, { restrictions: { enabled: true } })
      expect(await statusOf(value, { assistantId })).toBe(201)
    }
  })

  it('are used from allowed origins only', async () => {
    const { value } = await tokens.create({ tag: 'public', restrictions: { allowedOrigins: [`${ORIGIN}/`] } })
    expect(await statusOf(value, { assistantId }, ORIGIN)).toBe(201)
    for (const origin of ['https://elsewhere.example', 'http://pages.example', 'null', undefined])
      expect(await statusOf(value, { assistantId }, origin)).toBe(403)
    expect(await (await start(value, { assistantId })).json()).toEqual({
      message: 'This token may not be used from this origin.',
      error: 'Forbidden',
      statusCode: 403,
    })
  })

  it('start calls with allowed assistants only, which their overrides may greet for', async () => {
    const { assistantId: other } = await bench.platform.defaults()
    const restrictions = { allowedAssistantIds: [assistantId.toUpperCase()] }
    const { id, value } = await tokens.create({ tag: 'public', restrictions })
    expect(await statusOf(value, { assistantId, assistantOverrides: { firstMessage: 'Hey.' } })).toBe(201)
    expect(await statusOf(value, { assistantId: other })).toBe(403)
    expect(await statusOf(value, { assistant })).toBe(403)
    await tokens.update(id, { restrictions: { ...restrictions, allowTransientAssistant: true } })
    expect(await statusOf(value, { assistant })).toBe(201)
    await tokens.update(id, { restrictions: { allowTransientAssistant: false } })
    expect(await statusOf(value, { assistantId: other })).toBe(201)
    expect(await statusOf(value, { assistant })).toBe(403)
    await tokens.update(id, { restrictions: {} })
    expect(await statusOf(value, { assistant })).toBe(403)
  })

  it.each([
    [{ secret: 'x' }, 'property secret should not exist'],
    [{ tag: 'admin' }, 'tag must be one of the following values: private, public'],
    [{ name: 'x'.repeat(41) }, 'name must be shorter than or equal to 40 characters'],
    [{ restrictions: { ip: [] } }, 'restrictions.property ip should not exist'],
    [
      { restrictions: { allowedOrigins: ['pages.example'] } },
      'restrictions.allowedOrigins.0 must be an origin (https://example.com)',
    ],
    [{ restrictions: { allowedAssistantIds: ['a'] } }, 'restrictions.allowedAssistantIds.0 must be a UUID'],
  ])('with %j are refused', async (body, message) => {
    const response = await bench.request('POST', '/token', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: [message], error: 'Bad Request', statusCode: 400 })
  })
})
