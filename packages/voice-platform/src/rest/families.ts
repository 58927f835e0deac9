import { createHash } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import { SealError } from '@heyline/kit/seal'
import { z } from 'zod'
import { inlineAssistant } from '../assistants/assistant-schema.js'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { toolType } from '../assistants/tool-type.js'
import { checkNumber } from '../calls/call-request.js'
import { sessionMessages } from '../chats/chat-message.js'
import { ApiError } from '../resources/api-error.js'
import { type FoundBy, foundBy } from '../resources/found-by.js'
import { resourceName } from '../resources/resource-name.js'
import { type Inside, type Resource, ResourceStore } from '../resources/resource-store.js'
import { PLANS, refuseActingAssistant, refuseActingPlans } from '../test-runs/member-plans.js'
import type { TestRuns } from '../test-runs/test-runs.js'
import { runSettings, testSettings, testSuiteSettings } from '../test-runs/test-suite-schema.js'
import { accountOf, credential } from '../third-parties/credential-schema.js'
import { parse } from './parse-request.js'
import type { ServedFamily } from './resource-routes.js'

type Settings = Record<string, unknown>

const object = z.record(z.string(), z.unknown())
const settingsNamed = (...names: FoundBy[]) => Object.fromEntries(names.map((name) => [name, foundBy(name)]))

/** As Postgres writes it. */
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const customer = z
  .strictObject({
    numberE164CheckEnabled: z.boolean().optional(),
    extension: z.string().max(10).optional(),
    assistantOverrides: object.optional(),
    number: z.string().min(3).max(40).optional(),
    sipUri: z.string().max(1000).optional(),
    name: resourceName.optional(),
    email: z.string().max(40).optional(),
    externalId: z.string().max(40).optional(),
  })
  .superRefine(checkNumber)

const changedSession = {
  name: resourceName.optional(),
  status: z.enum(['active', 'completed']).optional(),
  expirationSeconds: z.number().int().min(60).max(2_592_000).optional(),
  messages: sessionMessages.optional(),
}
const session = z.strictObject({
  ...changedSession,
  assistantId: z.uuid().optional(),
  assistant: inlineAssistant.optional(),
  customer: customer.optional(),
  phoneNumberId: z.uuid().optional(),
  phoneNumber: z.unknown().optional(),
})

/** Rejects with an `ApiError`: 400 for two assistants or one that does not exist, 422 for a number that is not stored. */
async function checkSession(
  { assistantId, assistant, phoneNumber }: Settings,
  assistants: Pick<AssistantStore, 'find'>,
): Promise<void> {
  if (phoneNumber !== undefined)
    throw ApiError.notServed(
      'A number of its own for a session is not served by the built-in voice platform: store the number, and give phoneNumberId.',
    )
  if (assistantId !== undefined && assistant !== undefined)
    throw new ApiError(400, 'Only one of assistant and assistantId can be provided.')
  if (typeof assistantId === 'string' && !(await assistants.find(assistantId)))
    throw new ApiError(400, `Couldn't get assistant: ${assistantId} does not exist.`)
}

const changedTemplate = {
  details: z.looseObject({ type: toolType.optional() }).optional(),
  providerDetails: object.optional(),
  metadata: object.optional(),
  visibility: z.enum(['public', 'private']).optional(),
  name: resourceName.optional(),
  provider: z.enum(['make', 'gohighlevel', 'function']).optional(),
}
const template = z.strictObject({ ...changedTemplate, type: z.literal('tool').default('tool') })

const storeOf = (
  db: Queryable,
  name: string,
  {
    key,
    inside,
    watched = [],
  }: { key?: Uint8Array | undefined; inside?: Inside; watched?: readonly string[] } = {},
) => new ResourceStore(db, { name, secrets: {}, destinations: [], watched }, key, inside)

/** Where test suites lie, with their tests and runs. */
export interface SuiteStores {
  suites: ResourceStore
  tests: ResourceStore
  runs: ResourceStore
}

/** @param inside The assistants in suites, whose tools may hold secrets. */
export const openSuites = (db: Queryable, key: Uint8Array | undefined, inside: Inside): SuiteStores => ({
  suites: storeOf(db, 'test-suite', { key, inside, watched: PLANS }),
  tests: storeOf(db, 'test-suite-test'),
  runs: storeOf(db, 'test-suite-run'),
})

/** Test suites, their tests and their runs. */
export function suiteFamilies({ suites, tests, runs }: SuiteStores, played: TestRuns): ServedFamily[] {
  const within = { parameter: 'testSuiteId' as const, title: 'Test suite', store: suites }
  return [
    {
      ...{ path: 'test-suite', title: 'Test suite', store: suites, settings: testSuiteSettings },
      ...{ paged: 'instead', checkMember: refuseActingPlans },
      async deleted(id) {
        await tests.deleteWhere('testSuiteId', id)
        await runs.deleteWhere('testSuiteId', id)
      },
    },
    {
      ...{ path: 'test-suite/:testSuiteId/test', title: 'Test', store: tests, settings: testSettings },
      ...{ change: testSettings.partial(), paged: 'instead', within },
    },
    {
      ...{ path: 'test-suite/:testSuiteId/run', title: 'Test run', store: runs, settings: runSettings },
      ...{ change: runSettings, initial: { status: 'queued', testResults: [] }, paged: 'instead', within },
      async creating(suiteId) {
        const plan = await played.planOf(suiteId)
        return ({ id }) => played.begin(id, plan)
      },
      reading: () => played.settleLeftBehind(),
      deleted: async (id) => played.drop(id),
    },
  ]
}

/** Undefined where it was sealed with another key: what is needed of it has to be given anew. */
async function knownCredential(credentials: ResourceStore, id: string): Promise<Settings | undefined> {
  try {
    return (await credentials.whole([id]))[0]
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** Keys of accounts elsewhere. Answers show the provider and the name alone. */
export const credentialStore = (db: Queryable, key?: Uint8Array): ResourceStore =>
  new ResourceStore(
    db,
    { name: 'credential', secrets: {}, destinations: ['url'], open: ['provider', 'name'] },
    key,
  )

/** The same for these fields alone, and what lies in each. */
const insideFields = (
  fields: Readonly<Record<string, 'tool' | 'customer' | 'assistant'>>,
  { stored, shown }: Inside,
): Inside => {
  const changed = (settings: Settings, change: (held: Settings, field: string, kind: string) => Settings) => {
    const others = Object.entries(fields).flatMap(([field, kind]) =>
      settings[field] === undefined
        ? []
        : [[field, change({ [kind]: settings[field] }, field, kind)[kind]] as const],
    )
    return { ...settings, ...Object.fromEntries(others) }
  }
  return {
    stored: (settings, before) =>
      changed(settings, (held, field, kind) => stored(held, { [kind]: before?.[field] })),
    shown: (settings) => changed(settings, shown),
  }
}

/**
 * The families that are stored as they come. One line each says all that is special in it.
 *
 * @param inside The tools in templates, in the assistants of sessions and in the overrides of customers.
 */
export function storedFamilies(
  db: Db,
  key: Uint8Array | undefined,
  { inside, assistants }: { inside: Inside; assistants: Pick<AssistantStore, 'find'> },
): ServedFamily[] {
  const credentials = credentialStore(db, key)
  const templates = (on: Queryable) =>
    storeOf(on, 'template', { key, inside: insideFields({ details: 'tool' }, inside) })
  return [
    {
      ...{ path: 'session', title: 'Session', settings: session },
      checkMember: refuseActingAssistant,
      store: storeOf(db, 'session', {
        ...{ key, inside: insideFields({ assistant: 'assistant', customer: 'customer' }, inside) },
        watched: ['customer'],
      }),
      ...{ change: z.strictObject(changedSession), initial: { status: 'active' }, paged: 'instead' },
      // A session has no workflow.
      filters: { ...settingsNamed('name', 'assistantId'), workflowId: 'null::text' },
      // Its assistant may be gone when it is changed.
      check: async (settings, changedId) => {
        if (changedId === undefined) await checkSession(settings, assistants)
      },
    },
    {
      ...{ path: 'template', title: 'Template', settings: template, store: templates(db) },
      createAll: (all) =>
        db.transaction(async (tx) => {
          const made: Resource[] = []
          for (const one of all) made.push(await templates(tx).create(one))
          return made
        }),
      ...{ change: z.strictObject({ ...changedTemplate, type: z.literal('tool').optional() }) },
      ...{ initial: { visibility: 'private' }, lists: { pinned: { [foundBy('visibility')]: 'public' } } },
      filters: {
        ...settingsNamed('visibility', 'provider'),
        collectionId: { sql: 'collection_md5', of: md5 },
      },
    },
    {
      ...{ path: 'credential', title: 'Credential', settings: credential, change: credential.partial() },
      store: credentials,
      async check(settings, changedId) {
        const stored = changedId === undefined ? undefined : await knownCredential(credentials, changedId)
        parse({ ...stored, ...settings }, accountOf(settings.provider))
      },
    },
  ]
}
