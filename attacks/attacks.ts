import { crumbs, signatures, templates, values } from './aims/costly-requests.js'
import {
  emptyNumbers,
  followers,
  foreignPages,
  inFlight,
  mistyped,
  simulatedCalls,
  withoutChecks,
} from './aims/lock-outs.js'
import { exportsAtOnce } from './aims/office.js'
import { columns, deafReaders, foreignNames, regularExpressions, slugs } from './aims/reads.js'
import { clicks, comingBack, words } from './aims/rooms.js'
import { chatMoney, fewPlaces, firstWords, metadata, modelRequests, webCalls } from './aims/web-calls.js'
import type { Attack } from './attack.js'

/** What was tried against the first version, and what needs a whole server to show that it is bounded. */
export const ATTACKS: Record<string, Attack> = {
  webCalls,
  fewPlaces,
  chatMoney,
  modelRequests,
  metadata,
  clicks,
  comingBack,
  words,
  firstWords,
  simulatedCalls,
  regularExpressions,
  columns,
  deafReaders,
  slugs,
  foreignNames,
  signatures,
  values,
  crumbs,
  templates,
  withoutChecks,
  mistyped,
  inFlight,
  emptyNumbers,
  followers,
  foreignPages,
  exportsAtOnce,
}
