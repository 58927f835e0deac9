import { NoTurnError } from '@heyline/kit/waiting-line'
import { errorResponse } from '../call/call-error.js'
import { clientAt } from '../call/client-address.js'
import { ClientLine } from '../call/client-line.js'
import type { HumanCheck } from './human-check.js'

/** Checks that are made or looked at at once: each asks the database, which a flood would keep from everybody's pages. */
export const CHECKS = { atOnce: 2, waiting: 100, longestMs: 5_000 }

export interface ChallengeTurnsOptions {
  humanCheck?: HumanCheck
  addressOf?: (request: Request) => string | undefined
}

/** Answers who asks for a challenge, networks and their addresses in turn; 404 where there are none, 503 `unavailable` where no turn came. */
export function createChallengeTurns({
  humanCheck,
  addressOf,
}: ChallengeTurnsOptions): (request: Request) => Promise<Response> {
  const line = new ClientLine(CHECKS)
  return async (request) => {
    const { challenge } = humanCheck ?? {}
    if (!challenge) return errorResponse('not_found')
    const address = addressOf?.(request)
    try {
      return await line.run(addressOf && clientAt(address), () => challenge(request, address))
    } catch (error) {
      if (error instanceof NoTurnError) return errorResponse('unavailable')
      throw error
    }
  }
}
