import { findPostgres } from '@heyline/database/testing'
import { measureAttacked } from './attacks/attacked.js'
import { DATABASES, whereInstalled } from './backend/filled-heyline.js'
import { measureMillion } from './backend/million.js'
import { measureSignedIn } from './backend/signed-in.js'
import { measureStarts } from './backend/starts.js'
import { measureTraffic } from './backend/traffic.js'
import { measureUpgrade } from './backend/upgrade.js'
import { measureGreeting } from './browser/greeting.js'
import { measureHooks } from './call-desk/hooks.js'
import { measureLostMessages } from './call-desk/lost-messages.js'
import { measurePlacing } from './call-desk/placing.js'
import { measureStopping } from './call-desk/stopping.js'
import { measureAtOnce } from './conversation/at-once.js'
import { measureAtTheSpeaker, measureStreaming } from './conversation/at-the-speaker.js'
import { measureGreetings } from './conversation/greetings.js'
import { measureListening } from './conversation/listening-calls.js'
import { measureOpenedAndClosed } from './conversation/opened-and-closed.js'
import { measureRunningRecord } from './conversation/running-record.js'
import { measureProcesses } from './crowd/processes.js'
import { measureSoak } from './crowd/soak.js'
import { measureTools } from './crowd/with-tools.js'
import { measureFresh } from './fresh/fresh.js'
import { measureKnowledge } from './knowledge/search.js'
import { measureObserving } from './observing/cost.js'
import { measureCallSearch } from './office/calls.js'
import { measureConsole } from './office/console.js'
import { measureGrowth } from './office/growth.js'
import { measureVisitorSearch } from './office/visitors.js'
import { measurePackage } from './package/package.js'
import { measureBytes } from './page/bytes.js'
import { measureFormOpen } from './page/form-open.js'
import { measureLighthouse } from './page/lighthouse.js'
import { measureFastLoad, measureOpens, measureSlowLoad } from './page/load.js'
import { measurePhoneCalls } from './phone/phone-calls.js'
import { SipHeyline } from './phone/sip-heyline.js'
import { TwilioHeyline } from './phone/twilio-heyline.js'
import { measurePlatformClient } from './platform-client/platform-client.js'
import { measureRelay } from './relay/relay.js'
import type { Figure } from './report/table.js'
import { measureRestore } from './restore/restore.js'
import type { Stage } from './stage.js'
import { measureDeliveries } from './timeline/deliveries.js'
import { measureImport } from './timeline/import.js'
import { measureReading } from './timeline/reading.js'
import { measureWebCall } from './web-call/web-call.js'

export interface Part {
  /** What chooses it; `page` chooses all of the page's, `backend` all of the backend's. */
  names: readonly string[]
  title: string
  /** Takes so long that it is left out of a run of all parts. */
  onlyNamed?: true
  measure(stage: Stage): Promise<Figure[]>
}

/** First of all, so that neither the browser nor the stage's server runs beside them. */
const BACKEND_PARTS: readonly Part[] = DATABASES.flatMap((database): Part[] => [
  {
    names: ['backend', 'start'],
    title: `${database}: spawn → 'Heyline is ready'`,
    measure: () => whereInstalled(database, measureStarts),
  },
  {
    names: ['backend', 'traffic'],
    title: `${database}: 1,000 visitors, 20 connections`,
    measure: () => whereInstalled(database, measureTraffic),
  },
  {
    names: ['backend', 'operators'],
    title: `${database}: an operator who is signed in`,
    measure: () => whereInstalled(database, measureSignedIn),
  },
  {
    names: ['backend', 'million'],
    title: `${database}: p99 among 1,000,000 visitors to 1,000`,
    measure: () => whereInstalled(database, measureMillion),
  },
])

/** The same beside neither. */
const PACKAGE_PARTS: readonly Part[] = [
  {
    names: ['package'],
    title: "The package, on PGlite: size, and spawn → 'Heyline is ready'",
    measure: () => measurePackage(),
  },
]

const FRESH_PARTS: readonly Part[] = [
  { names: ['fresh'], title: 'A fresh clone', measure: () => measureFresh() },
]

const UPGRADE_PARTS: readonly Part[] = [
  {
    names: ['upgrade'],
    title: 'Postgres: an index on 1,000,000 calls, beside a server',
    measure: () => measureUpgrade(),
  },
]

const RELAY_PARTS: readonly Part[] = [
  {
    names: ['relay'],
    title: 'Postgres: callers at another server than their calls',
    measure: () => whereInstalled('Postgres', measureRelay),
  },
]

const CROWD_PARTS: readonly Part[] = [
  {
    names: ['processes'],
    title: 'Postgres: conversations that one, two and three servers hold',
    measure: () => whereInstalled('Postgres', measureProcesses),
  },
  { names: ['tools'], title: 'Conversations that use tools', measure: () => measureTools() },
  { names: ['soak'], title: 'Conversations that go on', onlyNamed: true, measure: () => measureSoak() },
]

const OFFICE_PARTS: readonly Part[] = DATABASES.flatMap((database): Part[] => [
  {
    names: ['office', 'visitors'],
    title: `${database}: operators search among 100,000 visitors`,
    measure: () => whereInstalled(database, measureVisitorSearch),
  },
  {
    names: ['office', 'calls'],
    title: `${database}: operators search among 100,000 calls`,
    measure: () => whereInstalled(database, measureCallSearch),
  },
  {
    names: ['office', 'growth'],
    title: `${database}: among 300,000 calls, to 3,000`,
    measure: () => whereInstalled(database, measureGrowth),
  },
])

const RESTORE_PARTS: readonly Part[] = findPostgres()
  ? DATABASES.map((database) => ({
      names: ['restore'],
      title: `${database}: a backup of 100,000 calls, restored elsewhere`,
      measure: () => measureRestore(database),
    }))
  : []

const TIMELINE_PARTS: readonly Part[] = [
  ...DATABASES.flatMap((database): Part[] => [
    {
      names: ['timeline', 'deliveries'],
      title: `${database}: 400 events of 40 visitors for one endpoint`,
      measure: () => whereInstalled(database, measureDeliveries),
    },
    {
      names: ['timeline', 'reading'],
      title: `${database}: operators look at 100,000 events`,
      measure: () => whereInstalled(database, measureReading),
    },
  ]),
  {
    names: ['timeline', 'costs'],
    title: 'PGlite: with the timeline, to the same without it',
    measure: () => measureImport(),
  },
]

const CALL_DESK_PARTS: readonly Part[] = DATABASES.flatMap((database): Part[] => [
  {
    names: ['call-desk', 'placing'],
    title: `${database}: 20 requests/s, the whole gate`,
    measure: () => whereInstalled(database, measurePlacing),
  },
  {
    names: ['call-desk', 'hooks'],
    title: `${database}: 300 messages/s for a minute`,
    measure: () => whereInstalled(database, measureHooks),
  },
  {
    names: ['call-desk', 'lost'],
    title: `${database}: 300 messages/s, killed`,
    measure: () => whereInstalled(database, measureLostMessages),
  },
  {
    names: ['call-desk', 'stopping'],
    title: `${database}: to be left alone`,
    measure: () => whereInstalled(database, measureStopping),
  },
])

const KNOWLEDGE_PARTS: readonly Part[] = DATABASES.map((database) => ({
  names: ['knowledge'],
  title: `${database}: questions to 10,000 passages of files`,
  measure: () => whereInstalled(database, measureKnowledge),
}))

const RECORD_PARTS: readonly Part[] = DATABASES.map((database) => ({
  names: ['conversation', 'record'],
  title: `${database}: what a running call writes`,
  measure: () => whereInstalled(database, measureRunningRecord),
}))

const PARTS: readonly Part[] = [
  ...BACKEND_PARTS,
  ...PACKAGE_PARTS,
  ...FRESH_PARTS,
  ...UPGRADE_PARTS,
  ...RELAY_PARTS,
  ...CROWD_PARTS,
  ...OFFICE_PARTS,
  ...RESTORE_PARTS,
  ...TIMELINE_PARTS,
  ...CALL_DESK_PARTS,
  ...RECORD_PARTS,
  ...KNOWLEDGE_PARTS,
  {
    names: ['attacks'],
    title: 'An honest visitor under attack, to the same in quiet',
    measure: () => measureAttacked(),
  },
  {
    names: ['browser-call'],
    title: 'Browser call, at the speaker',
    measure: async (stage) => measureGreeting(await stage.browser(), await stage.heyline()),
  },
  {
    names: ['office', 'console'],
    title: 'The console, 100,000 visitors',
    measure: async (stage) => measureConsole(await stage.browser()),
  },
  {
    names: ['conversation', 'speaker'],
    title: 'Conversations, on the waveform at the speaker',
    measure: async (stage) => measureAtTheSpeaker(await stage.browser()),
  },
  {
    names: ['conversation', 'streaming'],
    title: 'Conversations with engines that stream, on the waveform at the speaker',
    measure: () => measureStreaming(),
  },
  { names: ['conversation', 'at-once'], title: 'Conversations at once', measure: () => measureAtOnce() },
  {
    names: ['conversation', 'greetings'],
    title: 'New conversations, each with other words',
    measure: () => measureGreetings(),
  },
  { names: ['metrics'], title: 'Metrics, access log and traces', measure: () => measureObserving() },
  { names: ['conversation', 'listening'], title: 'Calls that listen', measure: () => measureListening() },
  {
    names: ['phone', 'twilio'],
    title: 'Phone calls by Twilio, at the far end',
    measure: () => measurePhoneCalls(TwilioHeyline.start),
  },
  {
    names: ['phone', 'sip'],
    title: 'Phone calls by SIP, at the far end',
    measure: () => measurePhoneCalls(SipHeyline.start),
  },
  {
    names: ['conversation', 'leftovers'],
    title: 'Calls that come and go',
    measure: () => measureOpenedAndClosed(),
  },
  {
    names: ['page', 'load'],
    title: 'The page on Slow 4G (1.6 Mbit/s, 150 ms, 4× CPU), median of 7',
    measure: async (stage) => measureSlowLoad(await stage.sites()),
  },
  {
    names: ['page', 'load'],
    title: 'The page unthrottled, median of 7',
    measure: async (stage) => measureFastLoad(await stage.sites()),
  },
  {
    names: ['page', 'opens'],
    title: 'The page on Slow 4G, with OPENS and without it, median of 7',
    measure: async (stage) => measureOpens(await stage.withoutOpens()),
  },
  {
    names: ['page', 'form'],
    title: 'The Call Me form',
    measure: async (stage) => measureFormOpen(await stage.sites()),
  },
  {
    names: ['page', 'bytes'],
    title: 'The page, brotli bodies (1 kB = 1,000 bytes)',
    measure: async (stage) => measureBytes(await stage.sites()),
  },
  {
    names: ['page', 'lighthouse'],
    title: 'Lighthouse 12.8, phone, medians',
    measure: async (stage) => measureLighthouse(await stage.sites()),
  },
  {
    names: ['platform-client'],
    title: 'The platform client beside the public SDKs',
    measure: () => measurePlatformClient(),
  },
  {
    names: ['web-call'],
    title: 'The web-call helper beside the public SDK',
    measure: async (stage) => measureWebCall(await stage.browser()),
  },
]

/** Somebody asked for a part that there isn't; the message names those that there are. */
export class UnknownPartError extends Error {
  override readonly name = 'UnknownPartError'
}

/** The parts with these names, in the order of the table; for no name all that need not be named. Throws `UnknownPartError`. */
export function chosenParts(words: readonly string[]): readonly Part[] {
  const known = new Set(PARTS.flatMap(({ names }) => names))
  const unknown = words.filter((word) => !known.has(word))
  if (unknown.length > 0)
    throw new UnknownPartError(`The bench has no part ${unknown.join(', ')}; it has ${[...known].join(', ')}`)
  if (words.length === 0) return PARTS.filter(({ onlyNamed }) => !onlyNamed)
  return PARTS.filter(({ names }) => names.some((name) => words.includes(name)))
}
