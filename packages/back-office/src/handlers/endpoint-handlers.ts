import { Rate } from '@heyline/call-desk'
import type { Endpoints, EndpointWithSecret } from '@heyline/timeline'
import type { Asked } from '../access/asked.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

/** Most tests of one operator in a minute, and most events that they send again one by one. */
const MOST_PER_MINUTE = 10

/** Whom to tell what happened. */
export function endpointHandlers(endpoints: Endpoints): HandlersOf<'endpoints'> {
  const [tests, replays] = [new Rate(MOST_PER_MINUTE), new Rate(MOST_PER_MINUTE)]
  const count = (rate: Rate, what: string, { operator, actor }: Pick<Asked, 'operator' | 'actor'>) => {
    if (!rate.count(operator?.userId ?? actor.name))
      throw new OperatorsError(
        'too_many_attempts',
        `More than ${MOST_PER_MINUTE} ${what} in a minute: wait a minute, and try again`,
        { waitSeconds: 60 },
      )
  }
  return {
    list: () => endpoints.list(),
    add: async (given) => flat(await endpoints.add(given)),
    update: ({ id, ...change }) => endpoints.update(id, change),
    rotate: async ({ id }) => flat(await endpoints.rotate(id)),
    async remove({ id }) {
      const endpoint = await endpoints.find(id)
      await endpoints.remove(id)
      return endpoint
    },
    async test({ id }, asked) {
      const { name } = await endpoints.find(id)
      count(tests, 'tests', asked)
      return { name, ...(await endpoints.sendTest(id)) }
    },
    deliveries: ({ id, ...query }) => endpoints.deliveries(id, query),
    attempts: ({ id, ...query }) => endpoints.attempts(id, query),
    async replay({ id, eventId }, asked) {
      const { name } = await endpoints.find(id)
      if (eventId !== undefined) count(replays, 'replays of single events', asked)
      return { name, count: await endpoints.replay(id, eventId) }
    },
  }
}

const flat = ({ endpoint, secret }: EndpointWithSecret) => ({ ...endpoint, secret })
