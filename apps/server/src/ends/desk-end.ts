import {
  type CallDesk,
  type CallDeskOptions,
  createAltcha,
  createCallDesk,
  createTurnstile,
  type HumanCheck,
} from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { humanCheckKey } from '../keys/derived-keys.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Metrics } from '../metrics/metrics.js'
import { deskMeasures } from '../metrics/package-measures.js'
import { guardText } from '../settings/guard-values.js'
import type { Settings } from '../settings/settings.js'
import { ownNumbers } from './own-numbers.js'
import type { PlatformEnd } from './platform-end.js'

/** How long a page waits to hear that our own carrier refused its call at once. Twilio answers in some tenths of a second. */
const TELLS_WITHIN_MS = 2_500

export interface DeskEndOptions {
  settings: Settings
  db: Db
  keys: KeyRing
  platform: PlatformEnd
  findVisitor: CallDeskOptions['findVisitor']
  /** See `CallDeskOptions`. */
  lookupsAtOnce: CallDeskOptions['lookupsAtOnce']
  addressOf: CallDeskOptions['addressOf']
  /** Counts refusals; nobody where it is left out. */
  metrics?: Metrics
  logger: Logger
}

/** Our own call desk as the settings want it; undefined where they leave it nothing to do. It has not started. */
export async function openDesk(options: DeskEndOptions): Promise<CallDesk | undefined> {
  const { settings, keys, platform, db, logger } = options
  if (settings.callDesk === 'off') return undefined
  const { builtIn } = platform
  const { gate, webGate, disclosure, retention } = settings.calls
  return createCallDesk({
    db,
    platform: platform.client,
    assistantId: platform.assistantId,
    phoneNumberId: platform.phoneNumberId,
    findVisitor: options.findVisitor,
    lookupsAtOnce: options.lookupsAtOnce,
    phoneCalls: settings.callDesk === 'all',
    hookSecrets: [keys.hookSecret, settings.formerHookSecret].filter((secret) => secret !== undefined),
    gate: {
      ...gate,
      ownPlatform: builtIn !== undefined,
      costsArePart: builtIn !== undefined && (settings.twilio ?? settings.sip) !== undefined,
    },
    webGate,
    raisedAs: guardText,
    disclosure,
    mayBeRecorded: builtIn !== undefined && settings.recording.announcement !== undefined,
    humanCheck: humanCheckOf(options),
    addressOf: options.addressOf,
    ownNumbers: await ownNumbers(platform, db, logger),
    tellsWithinMs: settings.twilio && platform.builtIn ? TELLS_WITHIN_MS : 0,
    hasUnaskedCalls: settings.platform !== undefined && settings.webCalls === 'direct',
    retention,
    ...(builtIn && {
      hasRoom: () => builtIn.platform.house().phoneRoom > 0,
      places: () => builtIn.platform.places(),
    }),
    ...(options.metrics && { measures: deskMeasures(options.metrics) }),
    logger,
  })
}

function humanCheckOf({ settings, keys, db, logger }: DeskEndOptions): HumanCheck | undefined {
  const { humanCheck } = settings.calls
  if (humanCheck?.kind === 'altcha') return createAltcha({ secret: humanCheckKey(keys), db, logger })
  if (humanCheck?.kind === 'turnstile')
    return createTurnstile({ secretKey: humanCheck.secretKey, url: humanCheck.url })
  return undefined
}
