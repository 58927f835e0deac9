import { systemClock } from '@heyline/kit/clock'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isEnded, wasAnswered } from '../office/refusal.js'
import { Reachability } from './reachability.js'

/** Answers are fresh for this long, in ms, unless an event says otherwise. */
const FRESH_MS = 10_000
const HEALTH = '/-/health'

/**
 * The one client of queries, and whether the server can be reached, which its queries find out. `ended` is called when a query finds that
 * nobody is signed in any more.
 */
export function makeQueries(ended: () => void): { queries: QueryClient; reach: Reachability } {
  const queries = new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: (failures, error) => !wasAnswered(error) && failures < 1 },
      mutations: { retry: false },
    },
    queryCache: new QueryCache({
      onSuccess: () => reach.answered(),
      onError(error) {
        if (isEnded(error)) ended()
        else if (wasAnswered(error)) reach.answered()
        else reach.failed()
      },
    }),
  })
  const reach = new Reachability({
    clock: systemClock,
    isOnline: () => navigator.onLine,
    ask: () =>
      fetch(HEALTH, { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    back: () => void queries.invalidateQueries(),
  })
  return { queries, reach }
}
