import { Rate } from '@heyline/call-desk'
import type { Endpoints, EndpointWithSecret } from '@heyline/timeline'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

/** Most tests of one operator in a minute. */
const TESTS_PER_MINUTE = 10

/** Whom to tell what happened. */
export function endpointHandlers(endpoints: Endpoints): HandlersOf<'endpoints'> {
  const rate = new Rate(TESTS_PER_MINUTE)
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
    async test({ id }, { operator, actor }) {
      const { name } = await endpoints.find(id)
      if (!rate.count(operator?.userId ?? actor.name))
        throw new OperatorsError(
          'too_many_attempts',
          `More than ${TESTS_PER_MINUTE} tests in a minute: wait a minute, and try again`,
          { waitSeconds: 60 },
        )
      return { name, ...(await endpoints.sendTest(id)) }
    },
    deliveries: ({ id, ...query }) => endpoints.deliveries(id, query),
    attempts: ({ id, ...query }) => endpoints.attempts(id, query),
    async replay({ id, eventId }) {
      const { name } = await endpoints.find(id)
      return { name, count: await endpoints.replay(id, eventId) }
    },
  }
}

const flat = ({ endpoint, secret }: EndpointWithSecret) => ({ ...endpoint, secret })
