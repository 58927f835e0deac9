import type { Clock } from '@heyline/kit/clock'
import type { AssistantStore } from './assistants/assistant-store.js'
import type { CallSpeakersOptions } from './calls/call-speakers.js'
import type { CallTools } from './calls/call-tools.js'
import type { PublicWebCalls } from './calls/public-calls.js'
import { recentTranscripts } from './calls/recent-transcripts.js'
import { openChats } from './chats/open-chats.js'
import type { KnowledgeBaseStore } from './knowledge/knowledge-base-store.js'
import type { PassageSearch } from './knowledge/passage-search.js'
import type { PhoneNumberStore } from './numbers/phone-number-store.js'
import type { VoicePlatformOptions } from './platform-port.js'
import type { ResourceStore } from './resources/resource-store.js'
import type { SuiteStores } from './rest/families.js'
import { TestRuns } from './test-runs/test-runs.js'
import type { Retries } from './work/retries.js'
import { WorkflowWriter } from './workflows/workflow-writer.js'

/** What calls use, too. */
export interface WritingParts {
  assistants: AssistantStore
  callTools: CallTools
  tools: ResourceStore
  suites: SuiteStores
  numbers: PhoneNumberStore
  knowledgeOf: CallSpeakersOptions['knowledgeOf']
  passages: PassageSearch
  bases: KnowledgeBaseStore
  publicCalls: PublicWebCalls
  retries: Retries
  clock: Clock
}

/** What the model engine answers in writing: chats, test runs, and drafts of workflows. Chats and test runs have to be closed. */
export function openWriting(options: VoicePlatformOptions, parts: WritingParts) {
  const { db, engines, prices, logger } = options
  const { assistants, callTools, tools, numbers, clock } = parts
  const shared = {
    ...{ db, model: engines.model, prices, callTools, clock, logger },
    ...{ storedTools: tools, toolSecrets: assistants.secrets },
  }
  const testRuns = new TestRuns({
    ...{ ...shared, ...parts.suites, knowledgeOf: parts.knowledgeOf, retries: parts.retries },
    find: (id) => assistants.find(id),
    findNumber: (id) => numbers.get(id),
  })
  const workflowWriter = new WorkflowWriter({
    ...{ model: engines.model, clock, transcripts: () => recentTranscripts(db) },
    findTool: (id) => tools.get(id),
  })
  const { visitorOf, placeOf, server } = options
  const chats = openChats({
    ...{ ...shared, assistants, publicCalls: parts.publicCalls, visitorOf, placeOf, server },
    ...{ passages: parts.passages, bases: parts.bases, fetch: options.fetch ?? fetch },
  })
  return { ...chats, testRuns, workflowWriter }
}
