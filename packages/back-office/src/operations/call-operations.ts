import {
  CALL_LIST_LIMIT,
  CALL_STATES,
  type CallState,
  callChange,
  callPage,
  callRecord,
  deskStatus,
} from '@heyline/call-desk/records'
import { z } from 'zod'
import { json, LONG_PATIENCE_MS, lines, liveLines, operation, pageSize } from './operation.js'

const slug = z.object({ slug: z.string() })

export const callOperations = {
  list: operation({
    method: 'GET',
    path: '/calls',
    summary: 'A page of calls, the newest first',
    role: 'viewer',
    query: z.object({
      limit: pageSize(CALL_LIST_LIMIT),
      after: z.string().optional(),
      state: z.enum(CALL_STATES as [CallState, ...CallState[]]).optional(),
      slug: z.string().optional(),
      since: z.iso.datetime().optional(),
    }),
    answer: json(callPage),
  }),
  show: operation({
    method: 'GET',
    path: '/call',
    summary: 'All that is stored of a call; a viewer sees no number in full',
    role: 'viewer',
    query: z.object({ id: z.string() }),
    answer: json(callRecord),
  }),
  export: operation({
    method: 'GET',
    path: '/calls/export',
    summary: 'All calls, the oldest first',
    role: 'editor',
    answer: lines(callRecord),
    audit: 'calls_exported',
    patienceMs: LONG_PATIENCE_MS,
  }),
  follow: operation({
    method: 'GET',
    path: '/calls/changes',
    summary: 'Changes of calls from now on, as they come',
    role: 'viewer',
    answer: liveLines(callChange),
    patienceMs: Number.POSITIVE_INFINITY,
  }),
  status: operation({
    method: 'GET',
    path: '/calls/status',
    summary: 'How the call desk stands: switches, money, requests of the day',
    role: 'viewer',
    answer: json(deskStatus),
  }),
  pause: operation({
    method: 'POST',
    path: '/calls/pause',
    summary: 'Stops all dialling, and ends the calls that are in flight',
    role: 'editor',
    answer: json(deskStatus),
    audit: 'calls_paused',
  }),
  resume: operation({
    method: 'POST',
    path: '/calls/resume',
    summary: 'Lets calls be placed again, after a pause and after the circuit breaker',
    role: 'editor',
    answer: json(deskStatus),
    audit: 'calls_resumed',
  }),
  resetSlug: operation({
    method: 'POST',
    path: '/calls/reset',
    summary: "Counts a visitor's lifetime limit from now on",
    role: 'editor',
    body: slug,
    answer: json(slug),
    audit: 'slug_reset',
    notes: ['slug'],
  }),
}
