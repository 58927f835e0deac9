import { useQueryClient } from '@tanstack/react-query'
import { usePages } from '../office/use-pages.js'
import { ENDPOINTS_KEY } from './use-endpoints.js'

/** How often a log that is shown is asked for, in ms: deliveries tell nobody. */
const ANEW_MS = 5_000
/** Lines at a time. */
export const LOG_PAGE = 50

/** A log, page by page. `key` says which. */
export const useLog = <Page extends { next: string | null }>(
  key: readonly unknown[],
  load: (before: string | undefined) => Promise<Page>,
) => usePages({ queryKey: [...ENDPOINTS_KEY, ...key], load, refetchInterval: ANEW_MS })

/** Asks anew for endpoints and logs. */
export function useFreshLog(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ENDPOINTS_KEY })
}
