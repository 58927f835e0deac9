import type { EndpointErrorCode, Endpoints } from '@heyline/timeline'
import { CommandError } from '../command/terminal/command-error.js'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

/** What the command does with endpoints. */
export type EndpointsPlace = Pick<
  Endpoints,
  'list' | 'add' | 'remove' | 'sendTest' | 'deliveries' | 'attempts' | 'replay'
>

const ERRORS: OfficeErrors<EndpointErrorCode | 'too_many_attempts' | 'endpoints_unreachable'> = {
  passedOn: [
    'endpoint_not_found',
    'too_many_endpoints',
    'invalid_target',
    'of_settings',
    'no_secret',
    'no_mail',
    'too_many_attempts',
  ],
  unreachable: 'endpoints_unreachable',
  make: (code, message, options) => new CommandError(code, message, options),
  look: 'heyline endpoints list',
}

/** The endpoints of a running server, through `/-/office`. */
export function runningEndpoints(serverUrl: string, secretKey: string): EndpointsPlace {
  const { endpoints } = runningOffice(serverUrl, secretKey, ERRORS)
  return {
    list: () => endpoints.list(),
    async add(wanted) {
      const { secret, ...endpoint } = await endpoints.add(wanted)
      return { endpoint, secret }
    },
    async remove(id) {
      await endpoints.remove({ id })
    },
    sendTest: (id) => endpoints.test({ id }),
    deliveries: (id, query) => endpoints.deliveries({ id, ...query }),
    attempts: (id, query) => endpoints.attempts({ id, ...query }),
    replay: async (id, eventId) => (await endpoints.replay({ id, eventId })).count,
  }
}
