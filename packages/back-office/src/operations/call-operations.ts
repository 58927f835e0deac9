import {
  CALL_LIST_LIMIT,
  CALL_STATES,
  type CallState,
  callChange,
  callDirection,
  calledAgain,
  callPage,
  callRecord,
  deskStatus,
  foundCalls,
  liveWords,
  OUTCOMES,
  REFUSALS,
  recordedCall,
} from '@heyline/call-desk/records'
import { z } from 'zod'
import { file, json, LONG_PATIENCE_MS, lines, liveLines, operation } from './operation.js'
import { isSafeCsv, moment, pageSize, wordList } from './query-fields.js'

const slug = z.object({ slug: z.string() })
const id = z.object({ id: z.string() })
const state = z.enum(CALL_STATES as [CallState, ...CallState[]])
/** Most of a page that a screen shows. */
const FOUND_LIMIT = 500
/** No call lasts for longer than a day. */
const DAY_SECONDS = 86_400

/** Which calls are looked for; what is left out does not count. No number stands here. */
const filter = z.object({
  kind: z.enum(['phone', 'web', 'chat']).optional(),
  /** Of phone calls. */
  direction: callDirection.optional(),
  /** Any of these. */
  states: wordList(state).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  refusal: z.enum(REFUSALS).optional(),
  /** A part of the visitor's slug, in any case. */
  text: z.string().min(1).max(200).optional(),
  since: moment.optional(),
  until: moment.optional(),
  /** They talked for so long, or longer. */
  minSeconds: z.coerce.number<number>().min(0).max(DAY_SECONDS).optional(),
})

export const callOperations = {
  list: operation({
    method: 'GET',
    path: '/calls',
    summary: 'A page of calls, the newest first',
    role: 'viewer',
    query: z.object({
      limit: pageSize(CALL_LIST_LIMIT),
      after: z.string().optional(),
      state: state.optional(),
      direction: callDirection.optional(),
      slug: z.string().optional(),
      since: moment.optional(),
    }),
    answer: json(callPage),
  }),
  search: operation({
    method: 'GET',
    path: '/calls/search',
    summary: 'A page of the calls that are looked for, the newest first, and how many there are',
    role: 'viewer',
    query: filter.extend({ limit: pageSize(FOUND_LIMIT), after: z.string().optional() }),
    answer: json(foundCalls),
  }),
  ofNumber: operation({
    method: 'POST',
    path: '/calls/of-number',
    summary: 'The calls of a telephone number, in any international form',
    role: 'editor',
    body: z.object({ number: z.string(), limit: pageSize(FOUND_LIMIT), after: z.string().optional() }),
    answer: json(foundCalls),
    reads: true,
  }),
  show: operation({
    method: 'GET',
    path: '/call',
    summary: 'All that is stored of a call; a viewer sees no number in full',
    role: 'viewer',
    query: id,
    answer: json(
      callRecord.extend({
        /** Why the gate refused, in plain words. */
        refusalText: z.string().nullable(),
      }),
    ),
  }),
  transcript: operation({
    method: 'GET',
    path: '/call/transcript',
    summary: 'What was said in a call, also while it runs; a viewer sees no number in full',
    role: 'viewer',
    query: id,
    answer: json(liveWords),
    isQuick: true,
  }),
  recording: operation({
    method: 'GET',
    path: '/call/recording',
    summary: 'Where the recording of a call is heard for 15 minutes, and when what was said',
    role: 'viewer',
    query: id,
    answer: json(recordedCall),
    isQuick: true,
  }),
  end: operation({
    method: 'POST',
    path: '/call/end',
    summary: 'Has a running call ended, within seconds',
    role: 'editor',
    body: id,
    answer: json(id),
    audit: 'call_ended',
    notes: ['id'],
  }),
  again: operation({
    method: 'POST',
    path: '/call/again',
    summary: 'Asks for another call to the number and visitor of an earlier one, through the gate',
    role: 'editor',
    body: id.extend({
      /** Of this one press: with it, there is one call however often this is sent within 24 hours. */
      key: z.string().min(8).max(200),
    }),
    answer: json(calledAgain),
    audit: 'call_again',
    notes: ['id', 'accepted'],
  }),
  remove: operation({
    method: 'POST',
    path: '/call/remove',
    summary: 'Removes the record of a call that is over, for ever; its money stays in the ledger',
    role: 'owner',
    body: id,
    answer: json(
      id.extend({
        /** What became of the voice platform's own record: only a hosted platform can remove its own. */
        platformRecord: z.enum(['removed', 'hosted', 'none']),
      }),
    ),
    audit: 'call_removed',
    notes: ['id', 'platformRecord'],
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
  exportCsv: operation({
    method: 'GET',
    path: '/calls/export.csv',
    summary: 'The calls that are looked for as CSV, the oldest first',
    role: 'editor',
    query: filter.extend({ safe: isSafeCsv }),
    answer: file('text/csv; charset=utf-8'),
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
    summary: 'How the call desk stands: switches, money, requests of the day; its audit is for owners',
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
    isRepeatable: true,
  }),
  resume: operation({
    method: 'POST',
    path: '/calls/resume',
    summary: 'Lets calls be placed again, after a pause and after the circuit breaker',
    role: 'editor',
    answer: json(deskStatus),
    audit: 'calls_resumed',
    isRepeatable: true,
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
