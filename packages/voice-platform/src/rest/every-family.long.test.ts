import { type CallDesk, createCallDesk, SIMULATED_GATE } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { type CreateTestSuiteTest, PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { RandomValues } from '../testing/random-values.js'

/** Examples of each family, and where they begin. */
const EXAMPLES = 5
const SEED = 20_261_128

/** The call desk of an installation, which keeps its campaigns. It never starts: nobody is called here. */
const deskOf = (db: Db, platform: PlatformClient): CallDesk =>
  createCallDesk({
    ...{ db, platform, assistantId: 'assistant', findVisitor: async () => null, hookSecrets: ['a-secret'] },
    ...{ gate: SIMULATED_GATE, disclosure: 'This is an assistant.', logger: pino({ level: 'silent' }) },
  })

interface Stored {
  id: string
  createdAt?: string
  updatedAt?: string
}
interface Window {
  limit?: number
  createdAtGe?: string
  createdAtGt?: string
  createdAtLt?: string
}
interface Api<Body, Change> {
  create(body: Body): Promise<Stored>
  get(id: string): Promise<Stored>
  list(window?: Window): Promise<readonly Stored[] | { results: readonly Stored[] }>
  update(id: string, change: Change): Promise<Stored>
  delete(id: string): Promise<Stored | undefined>
}

interface Family {
  name: string
  holds(mine: PlatformClient, theirs: readonly PlatformClient[], random: RandomValues): Promise<void>
}

interface Making<Body, Change> {
  /** Of a list that takes no query. */
  hasNoWindow?: boolean
  /** A provider's own settings pass through. */
  isLoose?: boolean
  /** False where answers have no times. */
  hasTimes?: boolean
  /** What is there before, and what it lies in. */
  within?(client: PlatformClient): Promise<string>
  body(random: RandomValues, outer: string): Body
  change(random: RandomValues): Change
  /** What answers show of a body. */
  shown?(body: Body): object
  /** What changes by itself. */
  restless?: readonly string[]
}

const timeOf = (time: unknown): string => z.iso.datetime().parse(time)
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 200,
    ({ status }: { status?: number }) => status,
  )

function family<Body extends object, Change extends object>(
  name: string,
  apiOf: (client: PlatformClient, outer: string) => Api<Body, Change>,
  {
    hasNoWindow = false,
    isLoose = false,
    hasTimes = true,
    within,
    body,
    change,
    shown = (given) => given,
    restless = [],
  }: Making<Body, Change>,
): Family {
  const calm = (value: Stored) =>
    Object.fromEntries(Object.entries(value).filter(([field]) => !restless.includes(field)))
  const holds: Family['holds'] = async (mine, theirs, random) => {
    const outer = (await within?.(mine)) ?? ''
    const api = apiOf(mine, outer)
    const idsIn = async (window?: Window) => {
      const listed = await api.list(window)
      return ('results' in listed ? listed.results : listed).map(({ id }) => id)
    }
    const given = body(random, outer)
    const made = await api.create(given)
    expect(made).toMatchObject({ ...shown(given), id: expect.any(String) })
    const { id } = made

    const read = await api.get(id)
    expect(calm(read)).toEqual({ ...calm(made), ...(name === 'token' && calm(read)) })
    expect(await idsIn()).toContain(id)
    if (!hasNoWindow) {
      expect(await idsIn({ createdAtGt: '2100-01-01T00:00:00.000Z' })).toEqual([])
      expect(await idsIn({ limit: 1 })).toHaveLength(1)
      expect(await idsIn({ limit: 0 })).toEqual([])
    }
    if (!hasNoWindow && hasTimes) {
      const createdAt = timeOf(made.createdAt)
      expect(await idsIn({ createdAtGe: createdAt })).toContain(id)
      expect(await idsIn({ createdAtLt: createdAt })).not.toContain(id)
    }

    for (const other of theirs) {
      const foreign = apiOf(other, outer)
      expect(await codeOf(foreign.get(id))).toSatisfy((code) => code === 401 || code === 404)
      expect(await codeOf(foreign.update(id, change(random)))).toSatisfy(
        (code) => code === 401 || code === 404,
      )
      expect(await codeOf(foreign.delete(id))).toSatisfy((code) => code === 401 || code === 404)
    }
    expect(calm(await api.get(id))).toEqual(calm(read))

    const wanted = change(random)
    const changed = await api.update(id, wanted)
    expect(changed).toMatchObject(wanted)
    expect(calm(changed)).toEqual(
      calm({ ...read, ...wanted, ...(hasTimes && { updatedAt: timeOf(changed.updatedAt) }) }),
    )
    if (hasTimes) expect(timeOf(changed.updatedAt) >= timeOf(read.updatedAt)).toBe(true)
    expect(calm(await api.get(id))).toEqual(calm(changed))
    if (!isLoose) expect(await codeOf(api.update(id, { ...wanted, nothing: 1 }))).toBe(400)

    const gone = await api.delete(id)
    expect(gone && calm(gone)).toEqual(calm(changed))
    expect(await idsIn()).not.toContain(id)
    expect(await codeOf(api.get(id))).toBe(404)
    expect(await codeOf(api.update(id, wanted))).toBe(404)
    expect(await codeOf(api.delete(id))).toBe(404)
  }
  return { name, holds }
}

const named = (random: RandomValues) => ({ name: random.text(4) })
const assistant = (random: RandomValues) => ({
  ...named(random),
  firstMessage: random.text(),
  model: {
    provider: 'openai' as const,
    model: 'gpt-4o-mini' as const,
    messages: [{ role: 'system' as const, content: random.text(20) }],
  },
})
const functionTool = (random: RandomValues) => ({
  type: 'function' as const,
  function: { name: `tool_${random.below(1_000)}`, description: random.text() },
})
const squad = (random: RandomValues) => ({ ...named(random), members: [{ assistant: assistant(random) }] })
const test = (random: RandomValues) => ({
  ...named(random),
  type: random.of(['chat', 'voice'] as const),
  script: random.text(20),
  scorers: [{ type: 'ai' as const, rubric: random.text() }],
  numAttempts: 1 + random.below(10),
})
const suite = async (client: PlatformClient) => (await client.testSuites.create({})).id
const uploaded = async (client: PlatformClient) =>
  (await client.files.create({ file: new File(['We sell bread.'], 'bread.txt', { type: 'text/plain' }) })).id

const FAMILIES: readonly Family[] = [
  family('assistant', ({ assistants }) => assistants, { body: assistant, change: named }),
  family('tool', ({ tools }) => tools, {
    isLoose: true,
    body: functionTool,
    change: functionTool,
  }),
  family('squad', ({ squads }) => squads, {
    body: squad,
    change: squad,
  }),
  family(
    'workflow',
    ({ workflows: { list, ...api }, workflows }) => ({ ...api, list: () => workflows.list() }),
    {
      hasNoWindow: true,
      body: (random) => ({
        ...named(random),
        nodes: [{ type: 'conversation' as const, name: 'start', isStart: true, prompt: random.text() }],
        edges: [],
      }),
      change: named,
    },
  ),
  family('session', ({ sessions }) => sessions, {
    body: (random) => ({ ...named(random), expirationSeconds: 60 + random.below(1_000) }),
    change: (random) => ({ ...named(random), status: random.of(['active', 'completed'] as const) }),
  }),
  family('template', ({ templates }) => templates, {
    body: (random) => [
      { ...named(random), type: 'tool' as const, visibility: random.of(['public', 'private'] as const) },
    ],
    change: (random) => ({ ...named(random), type: 'tool' as const }),
    shown: ([one]) => one ?? {},
  }),
  family('credential', ({ credentials }) => credentials, {
    isLoose: true,
    body: (random) => ({ ...named(random), provider: 'openai' as const, apiKey: random.text() }),
    change: (random) => ({ ...named(random), provider: 'openai' as const }),
    shown: ({ name, provider }) => ({ name, provider }),
  }),
  family('knowledge base', ({ knowledgeBases }) => knowledgeBases, {
    hasTimes: false,
    within: uploaded,
    body: (random, fileId) => ({ ...named(random), provider: 'canonical' as const, fileIds: [fileId] }),
    change: (random) => ({ ...named(random), provider: 'canonical' as const }),
  }),
  family(
    'file',
    ({ files }) => ({
      create: (body: { file: File }) => files.create(body),
      get: (id) => files.get(id),
      list: () => files.list(),
      update: (id, change: { name: string }) => files.update(id, change),
      delete: (id) => files.delete(id),
    }),
    {
      hasNoWindow: true,
      body: (random) => ({
        file: new File([random.text(50)], `f${random.below(1_000)}.txt`, { type: 'text/plain' }),
      }),
      change: named,
      shown: ({ file }) => ({ name: file.name }),
      restless: ['url', 'parsedTextUrl', 'parsedTextBytes', 'status', 'updatedAt'],
    },
  ),
  family('test suite', ({ testSuites }) => testSuites, { body: named, change: named }),
  family(
    'test',
    ({ testSuites: { tests } }, suiteId) => ({
      create: (body: CreateTestSuiteTest) => tests.create(suiteId, body),
      get: (id) => tests.get(suiteId, id),
      list: (window) => tests.list(suiteId, window),
      update: (id, change: { type: 'chat' | 'voice'; name: string }) => tests.update(suiteId, id, change),
      delete: (id) => tests.delete(suiteId, id),
    }),
    {
      within: suite,
      body: (random) => ({ ...test(random), type: 'chat' as const }),
      change: (random) => ({ ...named(random), type: 'chat' as const }),
    },
  ),
  family('campaign', ({ campaigns }) => campaigns, {
    // What it is told of its parts, written as JSON: where it lies, for its body.
    within: async (client) =>
      JSON.stringify({
        assistantId: (await client.assistants.create({ firstMessage: 'Hello.' })).id,
        phoneNumberId: (await client.phoneNumbers.list())[0]?.id,
      }),
    body: (random, outer) => ({
      ...z.object({ assistantId: z.string(), phoneNumberId: z.string() }).parse(JSON.parse(outer)),
      name: `campaign ${random.below(1_000)}`,
      schedulePlan: { earliestAt: new Date(Date.now() + 3_600_000 + random.below(1_000_000)).toISOString() },
      customers: Array.from({ length: 1 + random.below(5) }, (_, place) => ({
        number: `+1415555267${place}`,
        name: random.text(2).slice(0, 40),
      })),
    }),
    change: (random) => ({ name: `campaign ${random.below(1_000)}` }),
    // To delete it ends it.
    restless: ['status', 'endedReason', 'calls', 'callsCounterScheduled', 'callsCounterEnded', 'updatedAt'],
  }),
  family('token', ({ tokens }) => tokens, {
    body: (random) => ({ ...named(random), tag: random.of(['public', 'private'] as const) }),
    change: named,
  }),
]

describe.each(PLATFORM_DBS)('on %s', (kind) => {
  let db: Db
  let otherDb: Db
  let bench: PlatformBench
  let other: PlatformBench
  let theirs: PlatformClient[]
  const desks: CallDesk[] = []
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    otherDb = await openPlatformDb(kind)
    bench = await startPlatform(db, {
      resourcesKey: Buffer.alloc(32, 7),
      campaigns: () => desks[0]?.campaigns,
    })
    other = await startPlatform(otherDb, {
      campaigns: () => desks[1]?.campaigns,
      resourcesKey: Buffer.alloc(32, 8),
      keys: { public: 'another-public-key', private: 'another-private-key' },
    })
    desks.push(deskOf(db, bench.client), deskOf(otherDb, other.client))
    await bench.platform.defaults()
    const clientOf = (at: PlatformBench, token: string) =>
      new PlatformClient({
        ...{ token, baseUrl: 'http://platform', retries: 0 },
        fetch: (input, init) => at.platform.fetch(new Request(input, init)),
      })
    const own = clientOf(other, 'another-private-key')
    const { value } = await own.tokens.create({ tag: 'private' })
    // At this installation with another one's key and token, and at the other one itself.
    theirs = [
      clientOf(bench, 'another-private-key'),
      clientOf(bench, value),
      own,
      clientOf(bench, KEYS.public),
    ]
  })
  afterAll(async () => {
    for (const desk of desks) await desk.close()
    await bench.close()
    await other.close()
    await db.close()
    await otherDb.close()
  })

  describe.each(FAMILIES)('$name', ({ name, holds }) => {
    it.each(Array.from({ length: EXAMPLES }, (_, index) => SEED + index))(
      `a ${name} of the seed %d is created, read back, listed, filtered, changed and deleted, and seen by nobody else`,
      async (seed) => {
        await holds(bench.client, theirs, new RandomValues(seed))
      },
    )
  })
})
