import { type Endpoint, EVENT_TYPES } from '@heyline/timeline'
import { DELIVERY_STATES, LOG_LIMIT, newEndpoint } from '@heyline/timeline/schemas'
import type { EndpointsPlace } from '../../timeline/running-endpoints.js'
import type { Json } from '../options/json-option.js'
import { withEndpoints } from '../place/endpoints-place.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted, shortId, table } from '../terminal/terminal-text.js'
import { deliveryColumns, endpointColumns, tryColumns } from './endpoint-text.js'

export interface AddOptions extends Json {
  kind?: string
  events?: string
  digest?: boolean
}

export interface LogOptions extends Json {
  tries?: boolean
  state?: string
  limit?: string
  before?: string
}

/** How many lines of a log are shown at once, where nobody says how many. */
const SHOWN = 50
/** Fewer characters of an id are too few to name an endpoint. */
const ID_LEAST = 6

/** `heyline endpoints list`: the oldest first. */
export const listEndpoints = (context: CommandContext, { json }: Json): Promise<void> =>
  withEndpoints(context, async (place) => {
    const endpoints = await place.list()
    const { terminal } = context
    if (json) terminal.log(JSON.stringify(endpoints, null, 2))
    else if (endpoints.length > 0) terminal.log(table(endpoints.map(endpointColumns)))
    else terminal.error('heyline: there are no endpoints: add one with heyline endpoints add')
  })

/** `heyline endpoints add`: the secret is printed this once. */
export function addEndpoint(
  context: CommandContext,
  name: string,
  target: string,
  { kind = 'webhook', events, digest = false, json }: AddOptions,
): Promise<void> {
  const types = events?.split(',') ?? [...EVENT_TYPES]
  const { data: wanted, error } = newEndpoint.safeParse({
    name,
    kind,
    target,
    events: types,
    isDigest: digest,
  })
  if (!wanted)
    throw new CommandError('usage', `${String(error.issues[0]?.path[0])} is not good: ${HELP_OF_ADD}`)
  return withEndpoints(context, async (place) => {
    const { endpoint, secret } = await place.add(wanted)
    const { terminal } = context
    if (json) terminal.log(JSON.stringify({ ...endpoint, secret }, null, 2))
    else {
      terminal.error(`heyline: ${endpoint.name} is told from now on (${shortId(endpoint.id)})`)
      if (secret === null) return
      terminal.error('heyline: its secret follows. It is shown only now')
      terminal.log(secret)
    }
  })
}

const HELP_OF_ADD = 'see heyline endpoints add --help'

/** `heyline endpoints remove`. */
export const removeEndpoint = (context: CommandContext, which: string, { json }: Json): Promise<void> =>
  withEndpoint(context, which, async (place, endpoint) => {
    await place.remove(endpoint.id)
    const { terminal } = context
    if (json) terminal.log(JSON.stringify(endpoint, null, 2))
    else terminal.error(`heyline: ${endpoint.name} is told no more`)
  })

/** `heyline endpoints test`: fails where the test was not delivered. */
export const testEndpoint = (context: CommandContext, which: string, { json }: Json): Promise<void> =>
  withEndpoint(context, which, async (place, { id, name }) => {
    const { isDelivered, status, ms, error } = await place.sendTest(id)
    if (!isDelivered)
      throw new CommandError('not_delivered', `${name} was not told: ${error} (after ${ms} ms)`)
    const { terminal } = context
    if (json) terminal.log(JSON.stringify({ isDelivered, status, ms, error }))
    else
      terminal.error(
        `heyline: ${name} was told${status === null ? '' : `: it answered ${status}`} after ${ms} ms`,
      )
  })

/** `heyline endpoints replay`: one event, or all that were given up. */
export const replayEndpoint = (
  context: CommandContext,
  which: string,
  eventId: string | undefined,
  { json }: Json,
): Promise<void> => {
  if (eventId !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(eventId))
    throw new CommandError('usage', 'EVENT is a whole id, as heyline endpoints log shows it')
  return withEndpoint(context, which, async (place, { id, name }) => {
    const count = await place.replay(id, eventId)
    const { terminal } = context
    if (json) terminal.log(JSON.stringify({ count }))
    else terminal.error(`heyline: ${counted(count, 'event')} to be sent to ${name} again`)
  })
}

/** `heyline endpoints log`: the newest first; that there are more is said on standard error. */
export function showLog(context: CommandContext, which: string, options: LogOptions): Promise<void> {
  const { tries = false, json, before } = options
  if (before !== undefined && !/^\d{1,18}$/.test(before))
    throw new CommandError('usage', `--before is what the log before said, a number, not "${before}"`)
  const state = DELIVERY_STATES.find((known) => known === options.state)
  if (options.state !== undefined && !state)
    throw new CommandError('usage', `--state is ${DELIVERY_STATES.join(', ')}, not "${options.state}"`)
  const limit = Number(options.limit ?? SHOWN)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LOG_LIMIT))
    throw new CommandError('usage', `--limit is 1 to ${LOG_LIMIT}, not "${options.limit}"`)
  return withEndpoint(context, which, async (place, { id }) => {
    const { rows, lines, next } = tries
      ? await place.attempts(id, { before, limit }).then(({ attempts, next }) => ({
          rows: attempts,
          lines: attempts.map(tryColumns),
          next,
        }))
      : await place.deliveries(id, { before, limit, state }).then(({ deliveries, next }) => ({
          rows: deliveries,
          lines: deliveries.map(deliveryColumns),
          next,
        }))
    const { terminal } = context
    if (json) terminal.log(JSON.stringify(rows, null, 2))
    else if (lines.length > 0) terminal.log(table(lines))
    else terminal.error('heyline: the log has nothing like that')
    if (next !== null) terminal.error(`heyline: there are more: add --before ${next}`)
  })
}

/** The endpoint of this name or id. */
function withEndpoint(
  context: CommandContext,
  which: string,
  work: (place: EndpointsPlace, endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  return withEndpoints(context, async (place) => {
    const named = (await place.list()).filter(
      ({ id, name }) => name === which || (which.length >= ID_LEAST && id.startsWith(which.toLowerCase())),
    )
    const [endpoint, ...others] = named
    if (!endpoint)
      throw new CommandError(
        'endpoint_not_found',
        `There is no endpoint "${which}": heyline endpoints list shows their names and ids`,
      )
    if (others.length > 0)
      throw new CommandError('several_endpoints', `Several endpoints are "${which}": give the id of one`)
    await work(place, endpoint)
  })
}
