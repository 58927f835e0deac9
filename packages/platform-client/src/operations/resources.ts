import type { Analytics } from '../resources/analytics.js'
import type { Assistants } from '../resources/assistants.js'
import type { CallLogs } from '../resources/call-logs.js'
import type { Calls } from '../resources/calls.js'
import type { Campaigns } from '../resources/campaigns.js'
import type { Chats } from '../resources/chats.js'
import type { Credentials } from '../resources/credentials.js'
import type { Files } from '../resources/files.js'
import type { KnowledgeBases } from '../resources/knowledge-bases.js'
import type { Logs } from '../resources/logs.js'
import type { Orgs } from '../resources/orgs.js'
import type { PhoneNumbers } from '../resources/phone-numbers.js'
import type { Providers } from '../resources/providers.js'
import type { Sessions } from '../resources/sessions.js'
import type { Squads } from '../resources/squads.js'
import type { SupportTickets } from '../resources/support-tickets.js'
import type { Templates } from '../resources/templates.js'
import type { TestSuites } from '../resources/test-suites.js'
import type { Tokens } from '../resources/tokens.js'
import type { Tools } from '../resources/tools.js'
import type { VoiceLibraries } from '../resources/voice-libraries.js'
import type { Workflows } from '../resources/workflows.js'

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
