import type { EventStream } from './api/page.js'
import { createResources } from './operations/create-resources.js'
import { type PlatformClientOptions, PlatformCore } from './request/platform-core.js'
import type { RequestInput, RequestOperation, RequestOptions } from './request/request-input.js'
import type { Resources } from './resources/resources.js'
import { stream } from './stream/stream.js'

/** The resources, made from the table, so that it stays the only list of them. */
export interface PlatformClient extends Resources {}

/**
 * A client of the voice platform's REST API: one per token and base URL, with no state beside them.
 * It has every operation of the exported `operations` table as a method of its resource; `request` and `stream` send any other.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every resource
export class PlatformClient extends PlatformCore {
  /** Throws a `TypeError` for an option that cannot work. */
  constructor(options: PlatformClientOptions) {
    super(options)
    Object.assign(this, createResources(this))
  }

  /**
   * Sends any request whose answer is server-sent events, when the first event is taken, and once. Gives the events' data, parsed; rejects as
   * `request` does. Leaving the loop cancels the request.
   */
  stream<Event = unknown>(
    operation: RequestOperation,
    input?: RequestInput,
    options?: RequestOptions,
  ): EventStream<Event> {
    return stream(() => this.exchange(operation, input, options, 'text/event-stream')) as EventStream<Event>
  }
}
