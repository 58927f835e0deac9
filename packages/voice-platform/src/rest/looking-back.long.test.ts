import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eraseFromPlatform, platformRowsOf } from '../calls/person-calls.js'
import { type PastCall, storePastCalls } from '../testing/past-calls.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { VoiceShelf } from '../third-parties/voice-shelf.js'

const BELLA = '00000000-0000-4000-8000-00000000000a'
const CARLO = '00000000-0000-4000-8000-00000000000b'

const costs = (model: number, voice: number) => [
  { type: 'model', model: {}, promptTokens: 100, completionTokens: 20, cost: model },
  { type: 'voice', voice: {}, characters: 50, cost: voice },
]

/** Three calls of May 2024, the last one after midnight in Paris and before it in London and New York. */
const CALLS: readonly PastCall[] = [
  {
    at: '2024-05-01T10:00:00.000Z',
    seconds: 120,
    assistantId: BELLA,
    type: 'outboundPhoneCall',
    customer: {
      number: '+12025550101',
      name: '=May',
      email: 'may@example.com',
      assistantOverrides: { firstMessage: 'Hi.' },
    },
    messages: [{ role: 'bot', message: 'Hello, May.', time: 1_714_557_601_000, secondsFromStart: 1 }],
    transcript: 'AI: Hello, May.\nUser: "Bread", please',
    analysis: { successEvaluation: 'true', summary: 'Bread' },
    costs: costs(0.02, 0.01),
    overrides: { variableValues: { city: 'Rome' } },
  },
  {
    at: '2024-05-01T10:01:00.000Z',
    seconds: 120,
    assistantId: CARLO,
    endedReason: 'silence-timed-out',
    analysis: { successEvaluation: 'false' },
    costs: costs(0.04, 0.02),
    overrides: { variableValues: { city: 'Oslo' } },
  },
  { at: '2024-05-01T22:30:00.000Z', assistantId: BELLA, endedReason: 'customer-did-not-answer' },
]

describe.each(PLATFORM_DBS)('looking back on %s', (kind) => {
  let db: Db
  let bench: PlatformBench
  let ids: string[]
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    bench = await startPlatform(db, {
      server: { url: 'http://hooks.test/path-of-hook' },
      fetch: () => Promise.resolve(new Response()),
    })
    ids = await storePastCalls(db, CALLS)
  })
  afterAll(async () => {
    await bench.close()
    await db.close()
  })

  describe('pages of calls', () => {
    it.each([
      [{ cost: 0.03 }, [0]],
      [{ costGe: 0.03 }, [0, 1]],
      [{ costGe: 0.01, costLe: 0.05 }, [0]],
      [{ costLe: 0 }, [2]],
      // Sent as `1e-7` and `0.30000000000000004`.
      [{ costGe: 0.000_000_1, costLe: 0.1 + 0.2 }, [0, 1]],
      [{ successEvaluation: 'false' }, [1]],
      [{ assistantOverrides: { firstMessage: 'Hi.' } }, [0]],
      [{ assistantOverrides: { firstMessage: 'Ho.' } }, []],
      [{ assistantOverrides: { variableValues: { slots: Array(47).fill({}) } } }, []],
      [{ email: 'may@example.com', name: '=May' }, [0]],
      [{ number: '2025550101', numberE164CheckEnabled: false }, []],
      [{ assistantId: BELLA, endedReason: 'customer-did-not-answer', sortOrder: 'ASC' as const }, [2]],
    ])('are narrowed by %o', async (query, expected) => {
      const { results, metadata } = await bench.client.calls.listPage(query)
      expect(results.map(({ id }) => ids.indexOf(id)).sort()).toEqual(expected)
      expect(metadata.totalItems).toBe(expected.length)
      const { results: outlines } = await bench.client.calls.listMetadata(query)
      expect(outlines.map(({ id }) => id)).toEqual(results.map(({ id }) => id))
    })

    it.each([
      'number=2025550101',
      'assistantOverrides=[1]',
      'assistantOverrides={',
      `assistantOverrides={"variableValues":{"slots":[${'{},'.repeat(47)}{}]}}`,
      'costGe=-1',
      'costGe=1e9',
      'costGe=1e',
    ])('are refused for %s', async (query) => {
      expect((await bench.request('GET', `/v2/call?${query}`)).status).toBe(400)
    })
  })

  describe('an export', () => {
    it('is a file of all columns, and safe in a spreadsheet', async () => {
      const text = await bench.client.calls.export({ async: false, sortOrder: 'ASC' })
      const [header, ...rows] = text.split('\r\n')
      expect(header?.split(',')).toHaveLength(23)
      expect(header).toMatch(/^id,assistantId,squadId,customerId,customerName/)
      expect(rows.map((row) => ids.indexOf(row.slice(0, 36)))).toEqual([0, 1, 2, -1])
      expect(rows[0]).toContain(`${BELLA},,,'=May,'+12025550101,,,`)
      expect(rows[0]).toContain('"AI: Hello, May.\nUser: ""Bread"", please",Bread,true,,0.03,')
    })

    it('has the columns and the calls that are asked for', async () => {
      const exported = (query: Parameters<typeof bench.client.calls.export>[0]) =>
        bench.client.calls.export({ async: false, ...query })
      expect(await exported({ columns: ['endedReason', 'duration', 'cost'], costGe: 0.05 })).toBe(
        'endedReason,duration,cost\r\nsilence-timed-out,120,0.06\r\n',
      )
      expect(await exported({ columns: 'type', limit: 1, page: 2, sortOrder: 'ASC' })).toBe(
        'type\r\nwebCall\r\n',
      )
      expect(await exported({ columns: 'type', costGe: 7 })).toBe('type\r\n')
    })

    it('is JSON where that is asked for', async () => {
      const query = 'format=json&columns=id,cost,startedAt&sortOrder=ASC'
      const answer = await bench.request('GET', `/v2/call/export?${query}`)
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(await answer.json()).toEqual([
        { id: ids[0], cost: 0.03, startedAt: '2024-05-01T10:00:00.000Z' },
        { id: ids[1], cost: 0.06, startedAt: '2024-05-01T10:01:00.000Z' },
        { id: ids[2], cost: 0, startedAt: null },
      ])
      expect(await (await bench.request('GET', `/v2/call/export?${query}&costGe=7`)).json()).toEqual([])
    })

    it('has each call once where several parts are read', async () => {
      const at = (n: number) => new Date(Date.UTC(2023, 0, 1, 0, Math.floor(n / 3))).toISOString()
      const many = await storePastCalls(
        db,
        Array.from({ length: 120 }, (_, n) => ({ at: at(n), endedReason: 'voicemail' })),
      )
      for (const sortOrder of ['ASC', 'DESC'] as const) {
        const text = await bench.client.calls.export({
          async: false,
          columns: ['id', 'transcript'],
          endedReason: 'voicemail',
          sortOrder,
        })
        const found = text
          .trim()
          .split('\r\n')
          .slice(1)
          .map((row) => row.slice(0, 36))
        expect(found).toHaveLength(120)
        expect(new Set(found)).toEqual(new Set(many))
        const page = await bench.client.calls.listPage({ endedReason: 'voicemail', sortOrder, limit: 110 })
        expect(page.results.map(({ id }) => id)).toEqual(found.slice(0, 110))
        expect(page.metadata.totalItems).toBe(120)
      }
      const list = await bench.client.calls.list({ limit: 1000, createdAtLt: '2024-01-01T00:00:00Z' })
      expect(new Set(list.map(({ id }) => id))).toEqual(new Set(many))
      await db.query("delete from voice_platform.calls where ended_reason = 'voicemail'")
    })

    it('is refused in the background, by an unknown column, and while four others run', async () => {
      expect((await bench.request('GET', '/v2/call/export?async=true')).status).toBe(422)
      expect((await bench.request('GET', '/v2/call/export?columns=secret')).status).toBe(400)
      const open = await Promise.all(Array.from({ length: 4 }, () => bench.request('GET', '/v2/call/export')))
      expect((await bench.request('GET', '/v2/call/export')).status).toBe(503)
      await Promise.all(open.map(({ body }) => body?.cancel()))
      expect((await bench.request('GET', '/v2/call/export?columns=id')).status).toBe(200)
    })
  })

  describe('analytics', () => {
    const MAY = { start: '2024-05-01T00:00:00.000Z', end: '2024-05-03T00:00:00.000Z' }
    type Query = Parameters<typeof bench.client.analytics.query>[0]['queries'][number]
    const ask = async (query: Omit<Query, 'name' | 'table'> & { table?: Query['table'] }) => {
      const queries = [{ table: 'call' as const, name: 'May', timeRange: MAY, ...query }]
      return (await bench.client.analytics.query({ queries }))[0]?.result
    }

    it('sum, average, count and find the least and the most', async () => {
      const of = (operation: 'sum' | 'avg' | 'count' | 'min' | 'max', column: string) => ({
        operation,
        column,
      })
      expect(
        await ask({
          operations: [
            of('count', 'id'),
            of('sum', 'cost'),
            of('avg', 'cost'),
            of('max', 'costBreakdown.llm'),
            of('min', 'costBreakdown.tts'),
            of('sum', 'costBreakdown.stt'),
            of('sum', 'costBreakdown.vapi'),
            of('sum', 'costBreakdown.ttsCharacters'),
            of('sum', 'costBreakdown.llmPromptTokens'),
            of('sum', 'costBreakdown.llmCompletionTokens'),
            of('sum', 'duration'),
            of('max', 'concurrency'),
            { ...of('sum', 'minutesUsed'), alias: 'minutes' },
          ],
        }),
      ).toEqual([
        {
          countid: 3,
          sumcost: 0.09,
          avgcost: 0.03,
          'maxcostBreakdown.llm': 0.04,
          'mincostBreakdown.tts': 0.01,
          'sumcostBreakdown.stt': 0,
          'sumcostBreakdown.vapi': 0,
          'sumcostBreakdown.ttsCharacters': 100,
          'sumcostBreakdown.llmPromptTokens': 200,
          'sumcostBreakdown.llmCompletionTokens': 40,
          sumduration: 4,
          maxconcurrency: 2,
          minutes: 4,
        },
      ])
    })

    const operations: Query['operations'] = [{ operation: 'count', column: 'id', alias: 'n' }]
    it.each([
      [
        { groupBy: ['type'] },
        [
          { type: 'outboundPhoneCall', n: 1 },
          { type: 'webCall', n: 2 },
        ],
      ],
      [
        { groupBy: ['assistantId'] },
        [
          { assistantId: BELLA, n: 2 },
          { assistantId: CARLO, n: 1 },
        ],
      ],
      [{ groupBy: ['status'] }, [{ status: 'ended', n: 3 }]],
      [
        { groupBy: ['analysis.successEvaluation'] },
        [
          { 'analysis.successEvaluation': 'false', n: 1 },
          { 'analysis.successEvaluation': 'true', n: 1 },
          { 'analysis.successEvaluation': null, n: 1 },
        ],
      ],
      [
        { groupByVariableValue: [{ key: 'city' }] },
        [
          { city: 'Oslo', n: 1 },
          { city: 'Rome', n: 1 },
          { city: null, n: 1 },
        ],
      ],
      [
        { groupBy: ['assistantId', 'endedReason'], timeRange: { ...MAY, step: 'hour' as const } },
        [
          { date: '2024-05-01T10:00:00.000Z', assistantId: BELLA, endedReason: 'customer-ended-call', n: 1 },
          { date: '2024-05-01T10:00:00.000Z', assistantId: CARLO, endedReason: 'silence-timed-out', n: 1 },
          {
            date: '2024-05-01T22:00:00.000Z',
            assistantId: BELLA,
            endedReason: 'customer-did-not-answer',
            n: 1,
          },
        ],
      ],
    ])('are grouped by %o', async (query, expected) => {
      expect(await ask({ operations, ...query })).toEqual(expected)
    })

    it.each([
      ['second', 'UTC', 3, '2024-05-01T10:00:00.000Z'],
      ['minute', 'UTC', 3, '2024-05-01T10:00:00.000Z'],
      ['hour', 'UTC', 2, '2024-05-01T10:00:00.000Z'],
      ['day', 'UTC', 1, '2024-05-01T00:00:00.000Z'],
      ['day', 'Europe/Paris', 2, '2024-04-30T22:00:00.000Z'],
      ['day', 'America/New_York', 1, '2024-05-01T04:00:00.000Z'],
      ['week', 'UTC', 1, '2024-04-29T00:00:00.000Z'],
      ['month', 'Asia/Kolkata', 1, '2024-04-30T18:30:00.000Z'],
      ['quarter', 'UTC', 1, '2024-04-01T00:00:00.000Z'],
      ['year', 'UTC', 1, '2024-01-01T00:00:00.000Z'],
      ['decade', 'UTC', 1, '2020-01-01T00:00:00.000Z'],
      ['century', 'UTC', 1, '2001-01-01T00:00:00.000Z'],
      ['millennium', 'UTC', 1, '2001-01-01T00:00:00.000Z'],
    ] as const)('go by the %s in %s', async (step, timezone, count, first) => {
      const result = await ask({ operations, timeRange: { ...MAY, step, timezone } })
      expect(result).toHaveLength(count)
      expect(result?.[0]?.date).toBe(first)
    })

    it('tell how values were, in order, of calls and of the whole installation', async () => {
      expect(await ask({ operations: [{ operation: 'history', column: 'cost', alias: 'costs' }] })).toEqual([
        {
          costs: [
            { date: '2024-05-01T10:00:00.000Z', value: 0.03 },
            { date: '2024-05-01T10:01:00.000Z', value: 0.06 },
            { date: '2024-05-01T22:30:00.000Z', value: 0 },
          ],
        },
      ])
      expect(
        await ask({
          table: 'subscription',
          operations: [
            { operation: 'history', column: 'concurrency', alias: 'at once' },
            { operation: 'sum', column: 'minutesUsed' },
          ],
        }),
      ).toEqual([
        {
          'at once': [
            { date: '2024-05-01T10:00:00.000Z', value: 1 },
            { date: '2024-05-01T10:01:00.000Z', value: 2 },
          ],
          summinutesUsed: 4,
        },
      ])
    })

    it('answer nothing but zero where there was no call, of the last week unless a time is given', async () => {
      const [answer] = await bench.client.analytics.query({
        queries: [{ table: 'call', name: 'now', operations }],
      })
      expect(answer?.result).toEqual([{ n: 0 }])
      const { start = '', end = '' } = answer?.timeRange ?? {}
      expect(Date.parse(end) - Date.parse(start)).toBe(7 * 24 * 3_600_000)
    })

    it.each([
      ['a column that is not there', { operations: [{ operation: 'sum', column: 'secret' }] }],
      ['a sum of ids', { operations: [{ operation: 'sum', column: 'id' }] }],
      ['two results of one name', { operations: [...operations, ...operations] }],
      ['a zone that is none', { operations, timeRange: { timezone: '+05:30' } }],
      ['an end before its start', { operations, timeRange: { start: MAY.end, end: MAY.start } }],
      [
        'groups of a subscription',
        {
          table: 'subscription',
          operations: [{ operation: 'max', column: 'concurrency' }],
          groupBy: ['type'],
        },
      ],
      [
        'costs of a subscription',
        { table: 'subscription', operations: [{ operation: 'sum', column: 'cost' }] },
      ],
    ])('refuse %s', async (_, query) => {
      const queries = [{ table: 'call', name: 'x', ...query }]
      expect((await bench.request('POST', '/analytics', { queries })).status).toBe(400)
    })

    it('answer ten queries at once, and no more', async () => {
      const queries = Array.from({ length: 11 }, (_, n) => ({ table: 'call', name: `q${n}`, operations }))
      expect((await bench.request('POST', '/analytics', { queries })).status).toBe(400)
      const answer = await bench.request('POST', '/analytics', { queries: queries.slice(1) })
      expect(await answer.json()).toHaveLength(10)
    })
  })

  describe('logs', () => {
    let callId: string
    let assistantId: string
    let otherId: string
    beforeAll(async () => {
      assistantId = (await bench.platform.defaults()).assistantId
      const made = await bench.client.calls.create({ assistantId, customer: { number: '+12025550102' } })
      callId = made.id
      await vi.waitFor(async () => {
        const { results } = await bench.client.logs.list({ callId, webhookType: 'end-of-call-report' })
        expect(results).toHaveLength(1)
      }, 5_000)
    })

    it('have each change, message and ended call', async () => {
      const { results, metadata } = await bench.client.logs.list({ callId, sortOrder: 'ASC' })
      expect(metadata.totalItems).toBe(results.length)
      const ofType = (type: string) => results.filter((entry) => entry.type === type)
      expect(ofType('Webhook').at(-1)).toMatchObject({
        webhookType: 'end-of-call-report',
        assistantId,
        requestUrl: 'http://hooks.test',
        responseHttpCode: 200,
        requestDurationSeconds: expect.any(Number),
      })
      expect(ofType('Call')).toMatchObject([{ callId, assistantId, resource: 'call' }])
      const { results: changes } = await bench.client.logs.list({ type: 'API' })
      expect(changes).toContainEqual(
        expect.objectContaining({
          requestHttpMethod: 'POST',
          requestPath: '/call',
          resource: 'call',
          responseHttpCode: 201,
        }),
      )
      expect(JSON.stringify([results, changes])).not.toMatch(/12025550102|path-of-hook/)
    })

    it('name what was made, changed or refused, and what the call is of', async () => {
      const { client } = bench
      const numberId = crypto.randomUUID()
      const { id: squadId } = await client.squads.create({ members: [{ assistantId }] })
      const placed = await client.calls.createWeb({ squadId })
      const webCallId = placed.id
      otherId = (await client.assistants.create({ name: 'Other' })).id
      await client.assistants.update(otherId, { name: 'Another' })
      await bench.request('PATCH', `/phone-number/${numberId}`, { name: 'Desk' })
      await bench.request('PATCH', `/squad/${squadId}`, { members: 'none' })
      const named = async (query: Parameters<typeof client.logs.list>[0]) =>
        (await client.logs.list({ type: 'API', sortOrder: 'ASC', ...query })).results.map(
          ({ requestHttpMethod, requestPath, responseHttpCode }) =>
            `${requestHttpMethod} ${requestPath} ${responseHttpCode}`,
        )
      expect(await named({ assistantId: otherId })).toEqual([
        'POST /assistant 201',
        `PATCH /assistant/${otherId} 200`,
      ])
      expect(await named({ phoneNumberId: numberId })).toEqual([`PATCH /phone-number/${numberId} 404`])
      expect(await named({ squadId })).toEqual([
        'POST /squad 201',
        'POST /call/web 201',
        `PATCH /squad/${squadId} 400`,
      ])
      expect(await named({ callId: webCallId })).toEqual(['POST /call/web 201'])
      expect(await named({ callId, assistantId })).toEqual(['POST /call 201'])
    })

    it('have what was refused, and nothing of what was only read', async () => {
      await bench.request('GET', '/v2/call?cost=much')
      await bench.request('GET', '/squad/+12025550102')
      const { results } = await bench.client.logs.list({ type: 'API' })
      const reads = results.filter(({ requestHttpMethod }) => requestHttpMethod === 'GET')
      expect(reads.map(({ requestPath, responseHttpCode }) => [requestPath, responseHttpCode])).toEqual(
        expect.arrayContaining([
          ['/v2/call', 400],
          ['/squad/…', 400],
        ]),
      )
      expect(reads.every(({ responseHttpCode }) => responseHttpCode !== 200)).toBe(true)
    })

    it('of a call have its steps, words and messages, and hide them once they are deleted', async () => {
      const { callLogs } = bench.client
      const [talked = ''] = ids
      const { results } = await callLogs.list({ callId: talked, sortOrder: 'ASC' })
      expect(results.map(({ level, log }) => `${level} ${log}`)).toEqual([
        'CHECKPOINT Created as outboundPhoneCall.',
        'CHECKPOINT In progress.',
        'LOG Assistant: Hello, May.',
        'CHECKPOINT Ended: customer-ended-call.',
      ])
      const page = await callLogs.list({ callId: talked, limit: 1, page: 2 })
      expect(page).toMatchObject({
        results: [{ log: 'Assistant: Hello, May.' }],
        metadata: { totalItems: 4, totalPages: 4 },
      })
      const told = (await callLogs.list({ callId })).results.map(({ log }) => log)
      expect(told).toContain('Message end-of-call-report delivered.')
      const entries = await bench.client.logs.list({ callId })
      await callLogs.delete({ callId })
      expect((await callLogs.list({ callId })).results).toEqual([])
      expect((await bench.client.logs.list({ callId })).results).toEqual(entries.results)
      expect((await bench.client.calls.get(callId)).id).toBe(callId)
      await expect(callLogs.list({ callId: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
    })

    it('are deleted as far as is asked for', async () => {
      const count = async (query: Parameters<typeof bench.client.logs.list>[0]) =>
        (await bench.client.logs.list(query)).metadata.totalItems
      expect(await count({ customerId: 'anybody' })).toBe(0)
      const all = await count({})
      for (const nobodys of [{ customerId: 'anybody' }, { callId, type: 'Provider' }, { squadId: callId }])
        await bench.client.logs.delete(nobodys)
      expect(await count({})).toBeGreaterThanOrEqual(all)
      await bench.client.logs.delete({ callId, type: 'Webhook' })
      expect(await count({ callId, type: 'Webhook' })).toBe(0)
      expect(await count({ callId })).toBeGreaterThan(0)
      const others = await count({ assistantId: otherId })
      expect(others).toBeGreaterThan(0)
      await bench.client.logs.delete({ assistantId })
      expect(await count({ assistantId })).toBe(0)
      expect(await count({ assistantId: otherId })).toBe(others)
      expect(await count({ type: 'API' })).toBeGreaterThan(0)
      await bench.client.logs.delete({ type: 'API' })
      // What remains is the deletion itself.
      expect(await count({ type: 'API' })).toBe(1)
    })

    it('go with the calls of an erased person, and are exported before', async () => {
      const { id } = await bench.client.calls.create({ assistantId, customer: { number: '+12025550103' } })
      await vi.waitFor(
        async () =>
          expect((await bench.client.logs.list({ callId: id, type: 'Call' })).results).toHaveLength(1),
        5_000,
      )
      const tables: string[] = []
      const person = { number: '+12025550103', callIds: [] }
      for await (const { table } of platformRowsOf(db, person)) tables.push(table)
      expect(tables).toContain('voice_platform.logs')
      expect(await db.transaction((tx) => eraseFromPlatform(tx, person))).toMatchObject({
        running: false,
        erased: [id],
      })
      for (const table of ['logs', 'call_figures'])
        expect(
          (await db.query(`select from voice_platform.${table} where call_id = $1`, [id])).rowCount,
        ).toBe(0)
    })
  })

  describe('the voice library', () => {
    it('has the voices of the installation, and their accents', async () => {
      const { voiceLibraries } = bench.client
      const [voice, ...others] = await voiceLibraries.list('flite')
      expect(others).toEqual([])
      expect(voice).toMatchObject({
        provider: 'flite',
        providerId: 'cmu_us_slt',
        accent: 'American',
        isDeleted: false,
      })
      expect(await voiceLibraries.listAccents('flite')).toEqual([voice])
      expect(
        await voiceLibraries.list('flite', {
          keyword: 'slt',
          language: 'en-us',
          gender: 'female',
          accent: 'american',
        }),
      ).toEqual([voice])
      for (const query of [
        { gender: 'male' },
        { keyword: 'nobody' },
        { page: 2 },
        { limit: 0 },
        { createdAtLt: '2000-01-01' },
      ])
        expect(await voiceLibraries.list('flite', query)).toEqual([])
      expect(await voiceLibraries.list('11labs')).toEqual([])
      const kept = { providerId: 'ada', name: 'Ada', accent: 'Irish' }
      const ada = await new VoiceShelf(db).keep('11labs', crypto.randomUUID(), kept)
      expect(await voiceLibraries.list('11labs', { keyword: 'ada' })).toEqual([ada])
      expect(await voiceLibraries.listAccents('11labs')).toEqual([ada])
    })
  })
})
