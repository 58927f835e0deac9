import type { AnalyticsResult, QueryAnalytics } from '../api/analytics.js'
import type { CreateSupportTicket, SupportTicket } from '../api/support-ticket.js'
import type { RequestOptions } from '../request/request-input.js'
import type { Assistants } from './assistants.js'
import type { Calls } from './calls.js'
import type { Campaigns } from './campaigns.js'
import type { Chats } from './chats.js'
import type { Credentials } from './credentials.js'
import type { Files } from './files.js'
import type { KnowledgeBases } from './knowledge-bases.js'
import type { CallLogs, Logs } from './logs.js'
import type { Orgs } from './orgs.js'
import type { PhoneNumbers } from './phone-numbers.js'
import type { Providers } from './providers.js'
import type { Sessions } from './sessions.js'
import type { Squads } from './squads.js'
import type { Templates } from './templates.js'
import type { TestSuites } from './test-suites.js'
import type { Tokens } from './tokens.js'
import type { Tools } from './tools.js'
import type { VoiceLibraries } from './voice-libraries.js'
import type { Workflows } from './workflows.js'

/** The client's methods, resource by resource. Each takes the ids in path order, then the body or the query, then the options. */
export interface Resources {
  readonly calls: Calls
  readonly assistants: Assistants
  readonly squads: Squads
  readonly workflows: Workflows
  readonly phoneNumbers: PhoneNumbers
  readonly chats: Chats
  readonly sessions: Sessions
  readonly campaigns: Campaigns
  readonly tools: Tools
  readonly files: Files
  readonly knowledgeBases: KnowledgeBases
  readonly testSuites: TestSuites
  readonly analytics: Analytics
  /** What happened in one call, line by line. */
  readonly callLogs: CallLogs
  /** Requests to and from the platform. */
  readonly logs: Logs
  readonly orgs: Orgs
  readonly tokens: Tokens
  readonly credentials: Credentials
  readonly templates: Templates
  readonly voiceLibraries: VoiceLibraries
  /** What other providers have: their workflows, locations and voices. */
  readonly providers: Providers
  readonly supportTickets: SupportTickets
}

/** Figures about calls and the subscription. */
export interface Analytics {
  /** Answers each query, by name. `POST /analytics`: it changes nothing, but is sent once like every POST. */
  query(body: QueryAnalytics, options?: RequestOptions): Promise<AnalyticsResult[]>
}

/** Questions to the people behind the platform. */
export interface SupportTickets {
  /** Opens a ticket. `POST /support/ticket` */
  create(body: CreateSupportTicket, options?: RequestOptions): Promise<SupportTicket>
}
