import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { resourceName } from '../resources/resource-name.js'
import { ResourceStore } from '../resources/resource-store.js'
import type { ServedFamily } from './resource-routes.js'

const object = z.record(z.string(), z.unknown())
const setting = (name: string) => `settings ->> '${name}'`
const settingsNamed = (...names: string[]) => Object.fromEntries(names.map((name) => [name, setting(name)]))

const customer = z.strictObject({
  numberE164CheckEnabled: z.boolean().optional(),
  extension: z.string().max(10).optional(),
  assistantOverrides: object.optional(),
  number: z.string().min(3).max(40).optional(),
  sipUri: z.string().max(1000).optional(),
  name: resourceName.optional(),
  email: z.string().max(40).optional(),
  externalId: z.string().max(40).optional(),
})

const changedSession = {
  name: resourceName.optional(),
  status: z.enum(['active', 'completed']).optional(),
  expirationSeconds: z.number().int().min(60).max(2_592_000).optional(),
  messages: z
    .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant', 'tool', 'developer']) }))
    .optional(),
}
const session = z.strictObject({
  ...changedSession,
  assistantId: z.uuid().optional(),
  customer: customer.optional(),
  phoneNumberId: z.uuid().optional(),
})

const ticket = z.strictObject({
  category: z.enum(['bug-report', 'feature-request', 'doc-update', 'pricing', 'sales', 'others']),
  bugSubcategory: z
    .enum([
      ...(['call-forwarding', 'tools-calling', 'prompting', 'workflows', 'assistant', 'latency'] as const),
      ...(['assistant-speaks-slow', 'assistant-doesnt-respond', 'endpointing', 'others'] as const),
    ])
    .optional(),
  subject: z.string().min(1).max(200),
  message: z.string().min(10).max(5000),
  callDetails: z.string().max(1000).optional(),
})

const changedTemplate = {
  details: object.optional(),
  providerDetails: object.optional(),
  metadata: object.optional(),
  visibility: z.enum(['public', 'private']).optional(),
  name: resourceName.optional(),
  provider: z.enum(['make', 'gohighlevel', 'function']).optional(),
}
const template = z.strictObject({ ...changedTemplate, type: z.literal('tool').default('tool') })

/** What creates one takes a list, as the clients send it. */
const oneTemplate = z.preprocess(
  (body) => (Array.isArray(body) && body.length === 1 ? body[0] : body),
  template,
)

const suite = z.strictObject({
  name: z.string().max(80).optional(),
  phoneNumberId: z.uuid().optional(),
  testerPlan: object.optional(),
  targetPlan: object.optional(),
})
const test = z.strictObject({
  type: z.enum(['voice', 'chat']),
  scorers: z.array(z.strictObject({ type: z.literal('ai'), rubric: z.string().max(10_000) })).max(100),
  script: z.string().max(10_000),
  numAttempts: z.number().int().min(1).max(10).optional(),
  name: z.string().max(80).optional(),
})

const credential = z.looseObject({ provider: z.string().min(1).max(100), name: resourceName.optional() })

/** Keys of accounts elsewhere. Answers show the provider and the name alone. */
export const credentialStore = (db: Queryable, key?: Uint8Array): ResourceStore =>
  new ResourceStore(
    db,
    { name: 'credential', secrets: {}, destinations: [], open: ['provider', 'name'] },
    key,
  )

/** The families that are stored as they come. One line each says all that is special in it. */
export function storedFamilies(db: Queryable, key?: Uint8Array): ServedFamily[] {
  const store = (name: string) => new ResourceStore(db, { name, secrets: {}, destinations: [] }, key)
  const suites = store('test-suite')
  const tests = store('test-suite-test')
  return [
    {
      ...{ path: 'session', title: 'Session', store: store('session'), settings: session },
      ...{ change: z.strictObject(changedSession), initial: { status: 'active' }, paged: 'instead' },
      filters: settingsNamed('name', 'assistantId', 'workflowId'),
    },
    {
      ...{ path: 'support/ticket', title: 'Ticket', store: store('support-ticket'), settings: ticket },
      isKept: true,
    },
    {
      ...{ path: 'template', title: 'Template', store: store('template'), settings: oneTemplate },
      ...{ change: z.strictObject({ ...changedTemplate, type: z.literal('tool').optional() }) },
      ...{ initial: { visibility: 'private' }, lists: { pinned: { [setting('visibility')]: 'public' } } },
      filters: {
        ...settingsNamed('visibility', 'provider'),
        collectionId: "settings #>> '{metadata,collectionId}'",
      },
    },
    {
      ...{ path: 'credential', title: 'Credential', settings: credential, change: credential.partial() },
      store: credentialStore(db, key),
    },
    {
      ...{ path: 'test-suite', title: 'Test suite', store: suites, settings: suite, paged: 'instead' },
      deleted: (id) => tests.deleteWhere('testSuiteId', id),
    },
    {
      ...{ path: 'test-suite/:testSuiteId/test', title: 'Test', store: tests, settings: test },
      ...{ change: test.partial(), paged: 'instead' },
      within: { parameter: 'testSuiteId', title: 'Test suite', store: suites },
    },
  ]
}
