import type { CallCost, TranscriptPlan } from '@heyline/platform-client'
import type { SessionRecord } from '../session/session.js'
import type { CallRow } from './call-row.js'
import type { CallStore } from './call-store.js'
import type { LineChange } from './line-change.js'
import type { ServerMessages } from './server-messages.js'

/** Moves calls from queued to ended. Each step is stored first and then told to the call's server. Undefined where another process was first. `by`: see `CallStore`. */
export class CallProgress {
  readonly #store: CallStore
  readonly #messages: ServerMessages

  constructor(store: CallStore, messages: ServerMessages) {
    this.#store = store
    this.#messages = messages
  }

  ring(callId: string): Promise<CallRow | undefined> {
    return this.#tell(this.#store.ring(callId))
  }

  begin(callId: string): Promise<CallRow | undefined> {
    return this.#tell(this.#store.begin(callId))
  }

  endUnanswered(callId: string, reason: string, by?: string): Promise<CallRow | undefined> {
    return this.#tell(this.#store.endUnanswered(callId, reason, by))
  }

  /** Stores what was said so far. Nobody is told. */
  note(callId: string, change: LineChange, plan?: TranscriptPlan): Promise<void> {
    return this.#store.note(callId, change, plan)
  }

  /** Tells the call's server what somebody said, if it asked for that. */
  transcribed(row: CallRow, role: 'user' | 'assistant', transcript: string): void {
    this.#messages.transcript(row, role, transcript)
  }

  end(
    callId: string,
    record: SessionRecord,
    plan?: TranscriptPlan,
    costs?: readonly CallCost[],
    by?: string,
  ): Promise<CallRow | undefined> {
    return this.#tell(this.#store.end(callId, record, plan, costs, by))
  }

  breakOff(callId: string, reason: string, by?: string): Promise<CallRow | undefined> {
    return this.#tell(this.#store.breakOff(callId, reason, by))
  }

  /** Ends this process's own calls that nobody here holds. */
  endUnheld(reason: string, held: readonly string[]): Promise<CallRow[]> {
    return this.#tellAll(this.#store.endUnheld(reason, held))
  }

  /** Ends this process's own open calls. */
  endOwn(reason: string): Promise<CallRow[]> {
    return this.#tellAll(this.#store.endOwn(reason))
  }

  /** Ends the open calls of processes that are gone. */
  endAbandoned(reason: string): Promise<CallRow[]> {
    return this.#tellAll(this.#store.endAbandoned(reason))
  }

  /** Those of these calls that have ended. */
  endedAmong(callIds: readonly string[]): Promise<string[]> {
    return this.#store.endedAmong(callIds)
  }

  /** This process's own phone calls that may still ring, though they were ended for this reason. */
  unansweredOwn(reason: string): Promise<Pick<CallRow, 'id' | 'type'>[]> {
    return this.#store.unansweredOwn(reason)
  }

  /** Ends the open calls of one process that is gone. */
  endCallsOf(owner: string, reason: string): Promise<CallRow[]> {
    return this.#tellAll(this.#store.endCallsOf(owner, reason))
  }

  async #tell(change: Promise<CallRow | undefined>): Promise<CallRow | undefined> {
    const row = await change
    if (row) this.#messages.status(row)
    return row
  }

  async #tellAll(change: Promise<CallRow[]>): Promise<CallRow[]> {
    const rows = await change
    for (const row of rows) this.#messages.status(row)
    return rows
  }
}
