import { join } from 'node:path'
import { clientAt, createTransferGate, readSwitches, visitorOfCall } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { boundedFetch } from '@heyline/kit/bounded-fetch'
import { PlatformClient } from '@heyline/platform-client'
import {
  type AdmitIncoming,
  API_PATH,
  createVoicePlatform,
  type FindCampaignDesk,
  type OrgPeople,
  type Relay,
  type VoicePlatform,
} from '@heyline/voice-platform'
import type { Logger } from 'pino'
import { recordingsKey, resourcesKey } from '../keys/derived-keys.js'
import type { KeyRing } from '../keys/key-ring.js'
import { measuredEngines } from '../metrics/measured-engines.js'
import type { Metrics } from '../metrics/metrics.js'
import { platformMeasures } from '../metrics/package-measures.js'
import { isPublicUrl, LOOPBACK_NAMES } from '../settings/loopback.js'
import type { Settings } from '../settings/settings.js'
import { tracedFetch } from '../tracing/traced-fetch.js'
import { builtInNumbers } from './built-in-numbers.js'
import { settleCallerId } from './caller-id.js'
import { type CarrierEnd, openCarrier } from './carrier-end.js'
import { openEngines } from './engines-end.js'
import { inProcess } from './in-process.js'
import { ownVoices } from './own-voices.js'
import type { Gate } from './public-calls.js'
import { type OwnText, sendsTexts } from './text-messages.js'

/** The origins that may use the platform and the rooms: our own under all its names, and those of `ALLOWED_ORIGINS`. */
export function platformOrigins(publicUrl: string, allowed: readonly string[]): string[] {
  const own = new URL(publicUrl)
  if (isPublicUrl(publicUrl)) return [own.origin, ...allowed]
  const names = LOOPBACK_NAMES.map((name) => `${own.protocol}//${name}${own.port && `:${own.port}`}`)
  return [...new Set([own.origin, ...names, ...allowed])]
}

/** The voice platform as the rest of the house uses it, whoever runs it. */
export interface PlatformEnd {
  /** Base URL for browsers. */
  url: string
  /** Empty where the page needs none and nobody named one. */
  publicKey: string
  assistantId: string
  /** Undefined: the platform's own default. */
  phoneNumberId?: string
  /** The server's own client, with the private key. */
  client: PlatformClient
  /** One line for people: which end this is. */
  description: string
  /** Sends a text by our own carrier, as `VoicePlatform.sendText` does. Undefined where nobody would get it. */
  sendText?: (text: OwnText) => Promise<void>
  /** What a person should know at the start. */
  careful?: readonly string[]
  /** What only the built-in end has. */
  builtIn?: { platform: VoicePlatform; carrier: CarrierEnd }
  close(): Promise<void>
}

export interface PlatformEndOptions {
  settings: Settings
  db: Db
  keys: KeyRing
  publicUrl: string
  /** The other processes of the installation; left out where this one is alone. */
  relay?: Relay | undefined
  /** Asked before each call that the public key starts. */
  gate: Gate
  /** Asked before each call to one of our numbers is taken. */
  admitIncoming?: AdmitIncoming
  /** Keeps campaigns, and calls their customers. */
  campaigns?: FindCampaignDesk
  /** The address of whoever sent a request. */
  addressOf(request: Request): string | undefined
  /** Takes the platform's server messages for our own address without leaving the process. */
  fetch: typeof fetch
  /** The members of the built-in platform's organisation; nobody where it is left out. */
  people?: OrgPeople | undefined
  /** Counts and measures; nobody where it is left out. */
  metrics?: Metrics
  logger: Logger
}

/** Our own desk answers 503 while it cannot store a message, or is not open yet: it is told again for a minute. */
const HOOK_BACKOFF = { type: 'exponential', maxRetries: 6, baseDelaySeconds: 1 } as const

export async function openPlatform(options: PlatformEndOptions): Promise<PlatformEnd> {
  const { platform: hosted } = options.settings
  if (!hosted) return openBuiltIn(options)
  return {
    url: hosted.url,
    publicKey: hosted.publicKey ?? '',
    assistantId: hosted.assistantId,
    phoneNumberId: hosted.phoneNumberId,
    client: new PlatformClient({
      token: hosted.privateKey,
      baseUrl: hosted.url,
      fetch: tracedFetch('platform', boundedFetch()),
    }),
    description: hosted.url,
    close: async () => {},
  }
}

async function openBuiltIn(options: PlatformEndOptions): Promise<PlatformEnd> {
  const { settings, db, keys, publicUrl, logger } = options
  const { metrics } = options
  const engines = openEngines(settings, logger)
  const carrier = openCarrier({ twilio: settings.twilio, sip: settings.sip, db, publicUrl, logger })
  const platform = createVoicePlatform({
    db,
    publicUrl,
    keys: { public: keys.platformPublic, private: keys.platformPrivate },
    allowedOrigins: platformOrigins(publicUrl, settings.allowedOrigins),
    engines: metrics ? measuredEngines(engines.engines, metrics) : engines.engines,
    carrier: carrier.carrier,
    voices: ownVoices(settings.engines, settings.fallbacks),
    numberAccount: carrier.account,
    keeping: { textDays: settings.calls.retention.transcripts, recordDays: settings.calls.retention.records },
    recording: {
      ...settings.recording,
      folder: join(settings.dataDirectory, 'recordings'),
      key: recordingsKey(keys),
    },
    conversationsMost: settings.conversationsMost,
    toolsAllowPrivate: settings.toolsAllowPrivate,
    resourcesKey: resourcesKey(keys),
    prices: settings.callPrices,
    publicCalls: {
      allowed: settings.webCalls === 'direct',
      maxSeconds: settings.calls.webGate.maxSeconds,
      isPaused: async () => (await readSwitches(db)).pausedAt !== null,
      ...options.gate,
    },
    transferGate: createTransferGate({
      db,
      settings: settings.calls.gate,
      ownNumbers: builtInNumbers(db),
    }),
    ...(options.admitIncoming && { admitIncoming: options.admitIncoming }),
    ...(options.campaigns && { campaigns: options.campaigns }),
    callsBack: settings.callsBack,
    // The desk knows it, whatever a client says of the call.
    visitorOf: (callId) => visitorOfCall(db, callId),
    knowledgeMostBytes: settings.knowledgeMostBytes,
    ...(options.relay && { relay: options.relay }),
    ...(options.people && { people: options.people }),
    placeOf: (request) => clientAt(options.addressOf(request)),
    // Also with a foreign webhook: the desk follows the browser calls.
    server: { url: `${publicUrl}/-/hooks/platform`, secret: keys.hookSecret, backoffPlan: HOOK_BACKOFF },
    fetch: options.fetch,
    ...(metrics && { measures: platformMeasures(metrics) }),
    logger,
  })
  const close = async () => {
    await platform.close()
    await carrier.carrier.close()
    await engines.close()
  }
  const { twilio, phoneNumberId } = settings
  const careful = twilio ? await orClose(settleCallerId({ twilio, phoneNumberId, platform }), close) : []
  const defaults = await platform.defaults()
  const url = `${publicUrl}${API_PATH}`
  return {
    url,
    publicKey: keys.platformPublic,
    assistantId: settings.assistantId ?? defaults.assistantId,
    phoneNumberId,
    client: new PlatformClient({
      token: keys.platformPrivate,
      baseUrl: url,
      fetch: tracedFetch(
        'platform',
        inProcess(url, (request) => platform.fetch(request)),
      ),
    }),
    description: `built-in (${engines.description}; ${carrier.description})`,
    ...(sendsTexts(settings, publicUrl) && {
      sendText: (text: OwnText) => platform.sendText({ ...text, phoneNumberId }),
    }),
    builtIn: { platform, carrier },
    careful,
    close,
  }
}

/** Closes what was opened for what failed. */
async function orClose<Value>(work: Promise<Value>, close: () => Promise<void>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    await close()
    throw error
  }
}
