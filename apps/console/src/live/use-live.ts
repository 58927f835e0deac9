import { systemClock } from '@heyline/kit/clock'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Freshening } from './freshening.js'
import { Live } from './live.js'

const ADDRESS = '/-/office/live'

/** What an event makes stale: the first word of the keys of queries. */
const NOUNS: Record<string, string> = {
  call: 'calls',
  switches: 'calls',
  visitors: 'visitors',
  operators: 'operators',
  audit: 'audit',
  timeline: 'timeline',
  endpoints: 'endpoints',
  tickets: 'tickets',
}

/** Keeps all queries of the console fresh while it is shown. Once in the document. */
export function useLive(): void {
  const queries = useQueryClient()
  useEffect(() => follow(queries), [queries])
}

function follow(queries: QueryClient): () => void {
  const freshening = new Freshening(
    systemClock,
    (noun) => void queries.invalidateQueries({ queryKey: [noun] }),
  )
  const live = new Live({
    clock: systemClock,
    open: () => new EventSource(ADDRESS),
    names: Object.keys(NOUNS),
    on: (name) => freshening.changed(NOUNS[name] ?? name),
    refresh: () => {
      for (const noun of new Set(Object.values(NOUNS))) freshening.changed(noun)
    },
  })
  live.start()
  return () => {
    live.stop()
    freshening.stop()
  }
}
