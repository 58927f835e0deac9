import {
  attemptPage,
  DELIVERY_STATES,
  deliveryPage,
  ENDPOINT_NAME_MOST,
  endpoint,
  endpointChange,
  LOG_LIMIT,
  newEndpoint,
  testResult,
} from '@heyline/timeline/schemas'
import { z } from 'zod'
import { json, operation } from './operation.js'
import { pageBefore, pageSize } from './query-fields.js'

const LONGEST = 10_000
/** A test waits for the receiver: 10 s for an address, 30 s for a mail server. */
const TEST_PATIENCE_MS = 40_000

const which = z.object({ id: z.uuid() })
const log = which.extend({
  limit: pageSize(LOG_LIMIT),
  before: pageBefore,
})
/** `secret` is shown this once; null where the endpoint has none. */
const withSecret = endpoint.extend({ secret: z.string().nullable() })

/** What to do about a field that can't be read. */
const REMEDIES: Readonly<Record<string, string>> = {
  name: `Give the endpoint a name: one line of at most ${ENDPOINT_NAME_MOST} characters`,
  kind: 'Choose a kind: webhook, slack or email',
  target: 'Give an https address, or for e-mail one e-mail address: one line of at most 2000 characters',
  events: 'Choose at least one event, of those that there are',
}

function refusal({ issues }: z.ZodError) {
  const [field = ''] = issues[0]?.path ?? []
  const message = REMEDIES[String(field)] ?? `${String(field) || 'the body'} can not be read`
  return { code: 'invalid_request', message }
}

/** Whom to tell what happened. The audit keeps no target: it may be a person's address, or a secret. */
export const endpointOperations = {
  list: operation({
    method: 'GET',
    path: '/timeline/endpoints',
    summary: 'Whom to tell what happens, the oldest first',
    role: 'editor',
    answer: json(z.array(endpoint)),
  }),
  add: operation({
    method: 'POST',
    path: '/timeline/endpoints',
    summary: 'Adds somebody to tell, and shows the secret of a webhook this once',
    role: 'owner',
    stepUp: true,
    body: newEndpoint,
    longest: LONGEST,
    refusal,
    answer: json(withSecret),
    audit: 'endpoint_added',
    notes: ['name', 'kind'],
  }),
  update: operation({
    method: 'PATCH',
    path: '/timeline/endpoints',
    summary: 'Changes an endpoint, disables it or enables it; what is left out stays as it is',
    role: 'owner',
    stepUp: true,
    query: which,
    body: endpointChange,
    longest: LONGEST,
    refusal,
    answer: json(endpoint),
    audit: 'endpoint_changed',
    notes: ['name', 'kind'],
  }),
  rotate: operation({
    method: 'POST',
    path: '/timeline/endpoints/rotate',
    summary: 'Gives a webhook another secret; the one before signs, too, for 24 hours',
    role: 'owner',
    stepUp: true,
    body: which,
    longest: LONGEST,
    answer: json(withSecret),
    audit: 'endpoint_rotated',
    notes: ['name', 'kind'],
  }),
  remove: operation({
    method: 'DELETE',
    path: '/timeline/endpoints',
    summary: 'Removes an endpoint with what waits for it and with its log',
    role: 'owner',
    stepUp: true,
    query: which,
    answer: json(endpoint),
    audit: 'endpoint_removed',
    notes: ['name', 'kind'],
  }),
  test: operation({
    method: 'POST',
    path: '/timeline/endpoints/test',
    summary: 'Sends an endpoint a message of type endpoint.test at once, and says what came of it',
    role: 'editor',
    body: which,
    longest: LONGEST,
    answer: json(testResult.extend({ name: z.string() })),
    audit: 'endpoint_tested',
    isRepeatable: true,
    notes: ['name', 'isDelivered'],
    patienceMs: TEST_PATIENCE_MS,
  }),
  deliveries: operation({
    method: 'GET',
    path: '/timeline/endpoints/deliveries',
    summary: 'What an endpoint was told or is to be told, the newest first',
    role: 'editor',
    query: log.extend({ state: z.enum(DELIVERY_STATES).optional() }),
    answer: json(deliveryPage),
  }),
  attempts: operation({
    method: 'GET',
    path: '/timeline/endpoints/attempts',
    summary: 'The tries of an endpoint, the newest first',
    role: 'editor',
    query: log,
    answer: json(attemptPage),
  }),
  replay: operation({
    method: 'POST',
    path: '/timeline/endpoints/replay',
    summary: 'Sends one event again, or all that were given up',
    role: 'editor',
    body: which.extend({ eventId: z.uuid().optional() }),
    longest: LONGEST,
    answer: json(z.object({ name: z.string(), count: z.number() })),
    audit: 'endpoint_replayed',
    isRepeatable: true,
    notes: ['name', 'count'],
  }),
}
