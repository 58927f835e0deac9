import type { Assistant, CreateAssistant, ListAssistants } from '../api/assistant.js'
import type { Call, CallBatch, CreateCall, CreateCallBatch, CreateWebCall, ListCalls } from '../api/call.js'
import type { Method } from './method.js'

/** The types of each operation on calls. */
interface CallOperations {
  /** Places a phone call, or one to each of several `customers`. Sent once, never repeated. */
  create: { body: CreateCall; returns: Call } | { body: CreateCallBatch; returns: CallBatch }
  /** Creates a call in the browser; join it at `webCallUrl`. The one operation that a public token may use. */
  createWeb: { body: CreateWebCall; returns: Call }
  /** The newest calls first. */
  list: { query: ListCalls; returns: Call[] }
  /** One call, as far as it has come. */
  get: { path: [id: string]; returns: Call }
}

/** The types of each operation on assistants. */
interface AssistantOperations {
  /** The newest assistants first. */
  list: { query: ListAssistants; returns: Assistant[] }
  /** Stores an assistant. */
  create: { body: CreateAssistant; returns: Assistant }
}

interface ResourceTypes {
  calls: CallOperations
  assistants: AssistantOperations
}

export type ResourceName = keyof ResourceTypes

/** The client's methods, resource by resource. Each takes the ids in path order, then the body or the query, then the options. */
export type Resources = {
  readonly [R in ResourceName]: { readonly [N in keyof ResourceTypes[R]]: Method<ResourceTypes[R][N]> }
}
