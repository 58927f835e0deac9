import { availableParallelism } from 'node:os'
import type { VisitorAccess } from '@heyline/backend'
import type { Limit } from '@heyline/call-desk'
import { isLoopback } from '@heyline/kit/loopback'
import { SettingError } from '@heyline/kit/setting-error'
import type { z } from 'zod'
import { type BackupSettings, backupSettings } from './backup-settings.js'
import { type CallDeskDuty, callDeskDuty } from './call-desk-duty.js'
import { unknownGuard } from './call-environment.js'
import { type CallSettings, callSettings } from './call-settings.js'
import { callPrices } from './cost-environment.js'
import { type DrainSettings, drainSettings } from './drain-settings.js'
import { type EnginesSettings, engineSettings } from './engine-settings.js'
import { type Environment, environment } from './environment.js'
import { type EventSettings, eventSettings } from './event-settings.js'
import { refuseSecretsInThePage } from './in-the-page.js'
import { isForThisMachineOnly } from './loopback.js'
import { type MailSettings, mailSettings, needsSecondFactor } from './operator-settings.js'
import type { LogLevel } from './process-environment.js'
import { type RecordingChoice, recordingChoice } from './recording-settings.js'
import { refuseLonely, required } from './required.js'
import { type SipSettings, sipSettings } from './sip-settings.js'
import { type WebCalls, webCallsOf } from './web-calls.js'

/** An end that somebody else hosts, or `undefined` for the built-in one. */
export interface HostedBackend {
  url: string
  publishableKey: string
  secretKey?: string
}

export interface HostedPlatform {
  url: string
  /** Not given where browser calls are minted, and nobody named one. */
  publicKey?: string
  privateKey: string
  assistantId: string
  phoneNumberId?: string
}

export interface TwilioSettings {
  accountSid: string
  authToken: string
  apiUrl: string
  /** E.164. Undefined: the stored default. */
  callerId?: string
  machineDetection: boolean
}

/** One OpenAI-compatible engine. */
export type { EngineSettings, EnginesSettings } from './engine-settings.js'

/** The environment, checked as a whole. Settings that need each other stand together, so that no other code has to check that. */
export interface Settings {
  port: number
  host: string
  publicUrl?: string
  /** Where the other servers of the installation reach this one. */
  relay: { host?: string; port: number; address?: string }
  /** How long a connection stays open without a request. */
  keepAliveMs: number
  logLevel: LogLevel
  /** The name of this server; undefined: it makes one. */
  instanceId?: string
  /** How the server stops. */
  drain: DrainSettings
  /** Each answer has a line in the log. */
  accessLog: boolean
  /** The collector of traces; undefined: nothing is traced. */
  tracesEndpoint?: string
  /** Undefined: metrics have no port of their own. */
  metricsPort?: number
  dataDirectory: string
  /** Undefined: the server makes none by itself. */
  backups?: BackupSettings
  databaseUrl?: string
  /** Past the pooler that `databaseUrl` leads through. */
  databaseDirectUrl?: string
  /** Most connections to Postgres. */
  databasePool: number
  backend?: HostedBackend
  /** Which visitors of the built-in backend the public key sees. */
  visitorAccess: VisitorAccess
  visitorHeader: boolean
  /** Misses of one address before it has to wait; undefined: nobody waits. */
  visitorMissLimit?: Limit
  callWebhookUrl?: string
  callDesk: CallDeskDuty
  platform?: HostedPlatform
  /** Who asks the platform for browser calls. */
  webCalls: WebCalls
  /** Keys that the environment gives for the built-in ends. */
  keys: {
    /** All others derive from it; undefined: they are generated. */
    root?: string
    publishable?: string
    secret?: string
    jwtSecret?: string
    platformPublic?: string
    platformPrivate?: string
    hookSecret?: string
    phone?: string
  }
  /** Verifies the platform's messages too, while the hook secret takes its place. */
  formerHookSecret?: string
  assistantId?: string
  phoneNumberId?: string
  websiteUrl: string
  /** Undefined: no link. */
  privacyUrl?: string
  twilio?: TwilioSettings
  /** Who reaches the assistant of an earlier call by calling back. */
  callsBack: 'attested' | 'any' | 'off'
  sip?: SipSettings
  engines: EnginesSettings
  /** The second engine of a kind, which takes over when the first fails. */
  fallbacks: EnginesSettings
  /** Words from the browser's own speech recognition, where no transcriber is set. */
  browserTranscriber: boolean
  /** The tools of assistants may be on this machine and on private networks. */
  toolsAllowPrivate: boolean
  /** The operators are members of the built-in platform's organisation. */
  platformOperators: boolean
  /** What the built-in platform records. */
  recording: RecordingChoice
  /** Most calls of the built-in platform at once. */
  conversationsMost: number
  /** All files that assistants look things up in. */
  knowledgeMostBytes: number
  /** What the parts of a call cost the operator. Undefined: costs are not counted. */
  callPrices: ReturnType<typeof callPrices>
  logVisitors: boolean
  inCallStrip: boolean
  /** Pages tell when a person has opened them. */
  opens: boolean
  allowedOrigins: string[]
  /** How many proxies stand in front; undefined where nobody has said. */
  trustProxy?: number
  calls: CallSettings
  /** How long the events of the timeline are kept. */
  timelineDays: number
  /** Operators are let in after a second factor only. */
  needsSecondFactor: boolean
  /** Undefined: links are printed only. */
  mail?: MailSettings
  events: EventSettings
}

/** Reads and checks the environment. Throws a `SettingError` for the first value that can't be used. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  refuseUnknownGuards(given)
  const parsed = environment.safeParse(given)
  if (!parsed.success) throw settingErrorOf(parsed.error, given)
  const values = parsed.data
  refuseSecretsInThePage(values)
  checkHost(values)
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    relay: { host: values.RELAY_HOST, port: values.RELAY_PORT, address: values.RELAY_ADDRESS },
    keepAliveMs: keepAliveSeconds(values) * 1000,
    logLevel: values.LOG_LEVEL,
    instanceId: values.INSTANCE_ID,
    drain: drainSettings(values),
    accessLog: values.ACCESS_LOG,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsPort: metricsPort(values),
    dataDirectory: values.DATA_DIR,
    backups: backupSettings(values),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: directUrl(values),
    databasePool: values.DATABASE_POOL,
    backend: hostedBackend(values),
    visitorAccess: values.VISITOR_ACCESS,
    visitorHeader: values.VISITOR_HEADER,
    visitorMissLimit: values.VISITOR_MISS_LIMIT,
    callWebhookUrl: values.CALL_WEBHOOK_URL,
    callDesk: callDeskDuty(values),
    platform: hostedPlatform(values),
    webCalls: webCallsOf(values),
    keys: {
      root: values.HEYLINE_SECRET,
      publishable: values.SUPABASE_PUBLISHABLE_KEY,
      secret: values.SUPABASE_SECRET_KEY,
      jwtSecret: values.SUPABASE_JWT_SECRET,
      platformPublic: values.PLATFORM_PUBLIC_KEY,
      platformPrivate: values.PLATFORM_PRIVATE_KEY,
      hookSecret: values.PLATFORM_HOOK_SECRET?.[0],
      phone: values.PHONE_KEY,
    },
    formerHookSecret: values.PLATFORM_HOOK_SECRET?.[1],
    assistantId: values.PLATFORM_ASSISTANT_ID,
    phoneNumberId: values.PLATFORM_PHONE_NUMBER_ID,
    websiteUrl: values.WEBSITE_URL,
    privacyUrl: values.PRIVACY_URL,
    twilio: twilio(values),
    callsBack: values.CALLS_BACK,
    sip: sipSettings(values),
    ...engineSettings(values),
    browserTranscriber: values.BROWSER_TRANSCRIBER ?? isForThisMachineOnly(values),
    toolsAllowPrivate: values.TOOLS_ALLOW_PRIVATE,
    platformOperators: values.PLATFORM_OPERATORS,
    callPrices: callPrices(values),
    recording: recordingChoice(values),
    knowledgeMostBytes: values.KNOWLEDGE_MOST_MB * 1_000_000,
    conversationsMost: values.CONVERSATIONS_MOST ?? conversationsByCores(availableParallelism()),
    logVisitors: values.LOG_VISITORS,
    inCallStrip: values.IN_CALL_STRIP,
    opens: values.OPENS,
    allowedOrigins: values.ALLOWED_ORIGINS,
    trustProxy: values.TRUST_PROXY,
    calls: callSettings(values, given),
    timelineDays: values.TIMELINE_DAYS,
    needsSecondFactor: needsSecondFactor(values),
    mail: mailSettings(values),
    events: eventSettings(values),
  }
}

/** Calls that one core holds: the bench has fifty conversations on two. And the most cores that speak. */
const CALLS_PER_CORE = 25
const MOST_CORES = 4

/** Most calls at once on so many cores. */
export const conversationsByCores = (cores: number): number => CALLS_PER_CORE * Math.min(MOST_CORES, cores)

function refuseUnknownGuards(given: Record<string, unknown>) {
  for (const name of Object.keys(given)) {
    const unknown = unknownGuard(name)
    if (unknown) throw new SettingError(name, unknown)
  }
}

function settingErrorOf(error: z.ZodError, given: Record<string, unknown>): SettingError {
  const issue = error.issues[0]
  const name = String(issue?.path[0] ?? 'environment')
  const secret = /KEY|SECRET|TOKEN|PASSWORD/.test(name)
  const value =
    secret || /DATABASE_(DIRECT_)?URL|SMTP_URL/.test(name)
      ? 'the value'
      : `"${shortened(String(given[name]))}"`
  return new SettingError(name, `${value} ${issue?.message ?? 'can not be read'}`, { cause: error })
}

/** Longest value that a message repeats whole, in characters. */
const REPEATED_MOST = 100

const shortened = (value: string) =>
  value.length > REPEATED_MOST ? `${value.slice(0, REPEATED_MOST)}…` : value

function checkHost({ HOST, PUBLIC_URL, PHONE_KEY, CARRIER, PLATFORM_URL }: Environment) {
  if (isLoopback(HOST)) return
  if (!PUBLIC_URL)
    throw new SettingError(
      'PUBLIC_URL',
      `HOST is ${HOST}, so set the address that browsers and providers use`,
    )
  if (CARRIER === 'simulated' && !PLATFORM_URL && !PHONE_KEY)
    throw new SettingError(
      'PHONE_KEY',
      `HOST is ${HOST}, so set a key of 16 characters or more that opens the pocket phone at /-/phone?key=…`,
    )
}

/** Longer than the 60 s for which most balancers keep a connection. */
const BEHIND_PROXY_SECONDS = 75
/** As Node has it: strangers hold connections open, and for nothing. */
const ALONE_SECONDS = 5

const keepAliveSeconds = ({ KEEP_ALIVE_SECONDS, TRUST_PROXY = 0 }: Environment): number =>
  KEEP_ALIVE_SECONDS ?? (TRUST_PROXY > 0 ? BEHIND_PROXY_SECONDS : ALONE_SECONDS)

function directUrl(values: Environment): string | undefined {
  if (!values.DATABASE_URL) refuseLonely(values, ['DATABASE_DIRECT_URL'], 'DATABASE_URL')
  return values.DATABASE_DIRECT_URL
}

function metricsPort({ METRICS_PORT, PORT }: Environment): number | undefined {
  if (METRICS_PORT !== undefined && METRICS_PORT !== 0 && METRICS_PORT === PORT)
    throw new SettingError('METRICS_PORT', 'and PORT are the same: the metrics need a port of their own')
  return METRICS_PORT
}

function hostedBackend(values: Environment): HostedBackend | undefined {
  if (!values.SUPABASE_URL) return undefined
  if (values.VISITOR_ACCESS === 'open')
    throw new SettingError(
      'VISITOR_ACCESS',
      'has no effect with SUPABASE_URL, where the policies of that project decide who reads what: change those, and unset this',
    )
  return {
    url: values.SUPABASE_URL,
    publishableKey: required(values, 'SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_URL'),
    secretKey: values.SUPABASE_SECRET_KEY,
  }
}

function hostedPlatform(values: Environment): HostedPlatform | undefined {
  if (!values.PLATFORM_URL) return undefined
  return {
    url: values.PLATFORM_URL,
    publicKey:
      webCallsOf(values) === 'minted'
        ? values.PLATFORM_PUBLIC_KEY
        : required(values, 'PLATFORM_PUBLIC_KEY', 'PLATFORM_URL'),
    privateKey: required(values, 'PLATFORM_PRIVATE_KEY', 'PLATFORM_URL'),
    assistantId: required(values, 'PLATFORM_ASSISTANT_ID', 'PLATFORM_URL'),
    phoneNumberId: values.PLATFORM_PHONE_NUMBER_ID,
  }
}

function twilio(values: Environment): TwilioSettings | undefined {
  if (values.CARRIER !== 'twilio') return undefined
  if (values.TWILIO_CALLER_ID && values.PLATFORM_PHONE_NUMBER_ID && !values.PLATFORM_URL)
    throw new SettingError(
      'TWILIO_CALLER_ID',
      'and PLATFORM_PHONE_NUMBER_ID both say which number calls: unset one',
    )
  return {
    accountSid: required(values, 'TWILIO_ACCOUNT_SID', 'CARRIER=twilio'),
    authToken: required(values, 'TWILIO_AUTH_TOKEN', 'CARRIER=twilio'),
    apiUrl: values.TWILIO_API_URL,
    callerId: values.TWILIO_CALLER_ID,
    machineDetection: values.TWILIO_MACHINE_DETECTION,
  }
}
