import type { Flood } from './flood.js'
import { crumbs, signatures, templates, values } from './floods/costly-requests.js'
import {
  followers,
  foreignPages,
  inFlight,
  mistyped,
  simulatedCalls,
  withoutChecks,
} from './floods/lock-outs.js'
import { exportsAtOnce } from './floods/office.js'
import { columns, deafReaders, lists, regularExpressions, slugs } from './floods/reads.js'
import { clicks, comingBack, words } from './floods/rooms.js'
import { chatMoney, firstWords, metadata, modelRequests, webCalls } from './floods/web-calls.js'

/** The attacks that can go on, by their names, and reads of all that is listed. Those that leave much behind come last. */
export const FLOODS: Record<string, Flood> = {
  regularExpressions,
  columns,
  lists,
  slugs,
  webCalls,
  metadata,
  chatMoney,
  followers,
  foreignPages,
  signatures,
  values,
  crumbs,
  templates,
  mistyped,
  inFlight,
  simulatedCalls,
  comingBack,
  words,
  clicks,
  modelRequests,
  firstWords,
  deafReaders,
  exportsAtOnce,
  withoutChecks,
}
