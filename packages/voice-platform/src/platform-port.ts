import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Place } from '@heyline/kit/fair-line'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { Prices } from './calls/call-costs.js'
import type { DrainPlan } from './calls/call-drain.js'
import type { CallKeeping } from './calls/call-retention.js'
import type { HouseFigures } from './calls/house.js'
import type { AdmitIncoming, CallsBack } from './calls/incoming-calls.js'
import type { MessageServer } from './calls/message-server.js'
import type { PlatformMeasures } from './calls/platform-measures.js'
import type { PublicCalls } from './calls/public-calls.js'
import type { TransferGate } from './calls/transfers.js'
import type { FindCampaignDesk } from './campaigns/campaign-desk.js'
import type { Carrier, TextMessage } from './carriers/carrier.js'
import type { NumberAccount } from './carriers/number-account.js'
import type { DefaultResources } from './default-resources.js'
import type { Engines } from './engines/engine.js'
import type { Knowledge } from './knowledge/knowledge.js'
import type { StoredNumbers } from './numbers/open-phone-numbers.js'
import type { OrgPeople } from './orgs/org-people.js'
import type { RecordingSettings } from './recording/recordings.js'
import type { Relay } from './relay/relay.js'
import type { ClientUpgrade, PassOn } from './relay/room-relay.js'
import type { PlatformKeys } from './rest/access.js'
import type { Tickets } from './tickets/tickets.js'
import type { OwnVoice } from './voice-library/voice-library.js'

/** What the built-in platform needs of its server. */
export interface VoicePlatformOptions {
  /** Migrated: the schema `voice_platform` exists. */
  db: Db
  /** Where browsers reach this server. Room addresses begin with it, and its pages may always use the API. */
  publicUrl: string
  /** The address of the REST API as clients see it, used in `controlUrl`. `${publicUrl}/-/platform` by default. */
  apiUrl?: string
  keys: PlatformKeys
  /** Other origins whose pages may use the API. */
  allowedOrigins?: readonly string[]
  engines: Engines
  carrier: Carrier
  /** The voices that the engine speaks with, for the voice library; the built-in one by default. */
  voices?: readonly OwnVoice[] | undefined
  /** Whose numbers call, and who is asked about them. Not given: any number will do, as nobody real is called. */
  numberAccount?: NumberAccount | undefined
  /** Gets the server messages of assistants without a server of their own. */
  server?: MessageServer
  /** Tools, and a Nango of one's own, may be on private networks and on this machine, and be asked over http; false by default. */
  toolsAllowPrivate?: boolean
  /** Seals the secrets of stored tools: 32 bytes. Without it, tools that hold secrets are refused. */
  resourcesKey?: Uint8Array
  /** Asked before a call is transferred to a number. Without one, no call is: whoever wants that is told the number. */
  transferGate?: TransferGate
  /** Sends the server messages; the global one by default. */
  fetch?: typeof fetch
  /** What the public key may start. */
  publicCalls?: PublicCalls
  /** Asked before each call that somebody makes to one of our numbers is taken. Where it is left out, none is. */
  admitIncoming?: AdmitIncoming
  /** Who reaches the assistant of an earlier call by calling back; `attested` by default. */
  callsBack?: CallsBack
  /** Where a request comes from: clients and networks take turns where tokens are looked up. All share one line where it is left out. */
  placeOf?: (request: Request) => Place
  /**
   * Most calls of this process at once; unlimited by default. A full process leaves a web call to another one that has room; where none has,
   * new calls are refused at once, with `Retry-After`.
   */
  conversationsMost?: number
  /** The slug of the visitor whose call this is, as stored: the call then looks things up in that visitor's files. Nobody's where it is left out. */
  visitorOf?: (callId: string) => Promise<string | undefined>
  /** Most bytes of all files that assistants look things up in; 500 MB by default. */
  knowledgeMostBytes?: number
  /** The other processes of the installation; left out where this one is alone. */
  relay?: Relay
  /** Keeps campaigns and calls their customers. Without one, campaigns are refused in words. */
  campaigns?: FindCampaignDesk | undefined
  /** How long ended calls are kept; for ever where it is left out. */
  keeping?: CallKeeping
  /** What is recorded, and where; nothing is where it is left out. */
  recording?: RecordingSettings
  /** How long a client that lost its connection may come back to its room, in milliseconds; 15,000 by default. */
  graceMs?: number
  /** What engines and minutes cost. Where it is left out, calls have no costs. */
  prices?: Prices | undefined
  /** Measures turns and conversations; nobody where it is left out. */
  measures?: PlatformMeasures
  /** The people of the organisation, and their own bearers; left out: the API knows keys and tokens alone. */
  people?: OrgPeople | undefined
  logger: Logger
  /** For tests. */
  clock?: Clock
}

/** A text that the platform is asked to send. */
export interface OutgoingText extends Omit<TextMessage, 'from'> {
  phoneNumberId?: string
}

export interface VoicePlatform extends StoredNumbers {
  /** Answers a request to the REST API; its path is the platform's own (`/call/web`), or that below `/-/platform`. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** Answers a request below `/-/recordings/`. Never rejects. */
  recording(request: Request): Promise<Response>
  /**
   * Takes a WebSocket that was accepted at `/-/rooms/{callId}`; `socket.protocol` says which protocol it speaks. Networks take turns at the
   * door: all clients seem to come from one where `from` is left out.
   */
  join(socket: WebSocket, callId: string, search: URLSearchParams, from?: Place): void
  /**
   * The way to the process that holds the room `callId`, for a client that asks for a WebSocket. Undefined, at once or when that is found
   * out, where `join` takes the client. Never rejects.
   */
  elsewhere(
    callId: string,
    search: URLSearchParams,
    upgrade: ClientUpgrade,
  ): Promise<PassOn | undefined> | undefined
  /** What assistants look things up in. */
  knowledge: Knowledge
  /** What clients wrote to the operators. */
  tickets: Tickets
  /** The assistant and the caller id of calls that name none. Made when first needed. */
  defaults(): Promise<DefaultResources>
  /**
   * Sends a text by the carrier, from this phone number or the default caller id. Resolves once the carrier has accepted it. Rejects
   * with a `CarrierRefusal` when it surely was not sent; after any other error it may arrive.
   */
  sendText(text: OutgoingText): Promise<void>
  /**
   * Takes no new calls from now on, and lets those of this process end. Resolves when none is left, or when the time of the plan is over.
   * Everything else works on until `close`. Never rejects.
   */
  drain(plan: DrainPlan): Promise<void>
  /** The calls of this process, and how many more it takes. */
  house(): HouseFigures
  /**
   * Calls that all processes of the installation hold at once at most, as known within the last second; infinite without a limit. Rejects where
   * the database cannot be asked.
   */
  places(): Promise<number>
  /** Ends this process's calls with `worker-shutdown`. Engines, carrier and database stay open: whoever made them closes them. Idempotent. */
  close(): Promise<void>
}
